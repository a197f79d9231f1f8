# Ordinary programs, as somebody writes them who knows the READMEs: a test examples.SIDE.NAME each, of one that checks
# its own result. The C++ compiler takes all of them, nvcc the three that it is quickest with.
set(by_nvcc filter_columns one_program own_monoid)

file(GLOB examples CONFIGURE_DEPENDS examples/*.cpp)
foreach(example IN LISTS examples)
  cmake_path(GET example STEM name)
  if(side STREQUAL "cuda")
    if(NOT name IN_LIST by_nvcc)
      continue()
    endif()
    set_source_files_properties(${example} PROPERTIES LANGUAGE CUDA)
  endif()
  set(target examples_${side}_${name})
  add_executable(${target} ${example})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin/examples)
  target_link_libraries(${target} PRIVATE upsweep_dev)
  add_dependencies(tests ${target})
  add_test(NAME examples.${side}.${name} COMMAND ${target})
  set_tests_properties(examples.${side}.${name} PROPERTIES LABELS ${side})
  if(side STREQUAL "cuda")
    set_tests_properties(examples.${side}.${name} PROPERTIES RESOURCE_LOCK gpu)
  endif()
endforeach()

# Without CUDA a program that asks for it ends with an error that says so.
if(side STREQUAL "host")
  add_test(NAME examples.host.one_program_without_cuda COMMAND examples_host_one_program cuda)
  set_tests_properties(examples.host.one_program_without_cuda PROPERTIES LABELS host PASS_REGULAR_EXPRESSION
                       "one_program: backend \"cuda\": this program was compiled without CUDA")
endif()
