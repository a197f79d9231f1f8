# Headers as Doxygen reads them: the comment that one begins with is the file's; the inline namespace, of which it knows
# nothing in a nested name, is left out; and what is indented in a comment is code, for which it wants an empty line before
# and four spaces more. (The hold space tells whether the line before was code.)
1s,^// ,//! @file\n//! ,
1,/^#pragma once/s,^//( |$),//! ,
s,namespace UPSWEEP_NAMESPACE,namespace upsweep,
/^ *\/\/!   /{
  s,^( *)//!,&  ,
  x
  /code/{
    x
    b
  }
  s/$/code/
  x
  s,^( *)//!,\1//!\n&,
  b
}
x
s/.*//
x
