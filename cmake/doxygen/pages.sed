# READMEs as Doxygen reads them. It names headings in its own way: links to headings become links to their pages, or plain
# words.
s/\[([^]]*)\]\(#[^)]*\)/\1/g
s/(\.md)#[^)]*\)/\1)/g
