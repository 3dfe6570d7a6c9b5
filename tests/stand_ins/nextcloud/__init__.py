"""A stand-in for Nextcloud: files over WebDAV, shares and groups over OCS."""
