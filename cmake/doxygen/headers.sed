# Headers as Doxygen reads them: the comment that one begins with is the file's; what is indented in a comment is code; and
# the inline namespace, of which it knows nothing in a nested name, is left out.
1s,^// ,//! @file\n//! ,
1,/^#pragma once/s,^//( |$),//! ,
s,^( *)//!   +([^ ].*)$,\1//!\n\1//!     \2,
s/namespace upsweep::inline UPSWEEP_ABI/namespace upsweep/
