"""A stand-in for Google Drive, its tokens and the directory of groups, over real HTTP."""
