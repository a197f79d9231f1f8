// Files that are there whole or not at all, and all of them or none: until commit() the old ones stay, and they stay
// for good if anything fails, or a signal ends the program.
#pragma once
#include <cstdio>
#include <filesystem>
#include <list>
#include <string>
#include <string_view>

#include <sys/stat.h>

namespace app {

//! Written in the folder where it will be, under another name. What is no regular file (a pipe, a terminal) is written
//! as it is; "-" is standard output. Errors name the file.
class output_file {
 public:
  explicit output_file(const std::string& name);
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file();

  void write(std::string_view bytes);
  //! For a library that writes by itself, instead of write().
  int descriptor() const { return fileno(file_); }
  const std::string& name() const { return name_; }

 private:
  friend class output_files;
  bool is_beside() const { return !unfinished_.empty(); }
  void finish();        // all of it is written
  void put_in_place();  // and has its name
  void open_beside(mode_t permissions);
  [[noreturn]] void fail(const std::string& before) const;

  std::string name_;
  std::FILE* file_ = nullptr;
  std::string unfinished_;  // its name till then
};

//! What a program writes.
class output_files {
 public:
  //! Stays until the end of this.
  output_file& open(const std::string& name) { return files_.emplace_back(name); }
  //! Must be the last word: writes out all files, and only then gives them their names.
  void commit();

 private:
  std::list<output_file> files_;
};

//! Where a file of this name is, or would be: links are followed, those that lead to nothing too.
std::filesystem::path place_of(const std::string& name);

}  // namespace app
