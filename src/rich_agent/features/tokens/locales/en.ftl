command-tokens = Let other programs ask me in your name
tokens-none = With a token, another program can ask me in your name over HTTP. There is no token yet.
tokens-about = With a token, another program can ask me in your name over HTTP. ✕ revokes a token at once.
tokens-open = Your tokens
tokens-unreachable = Other programs cannot reach me here, so I make no token. My operator has to set PUBLIC_URL first.
tokens-make = New token
tokens-make-named = New token “{ $name }”
tokens-name = Telegram
tokens-made = This is the new token. I show it only now. Copy it into your program, then hide it. Whoever has it can ask me in your name, until you revoke it. My address for programs is { $address }
tokens-hide = Hide the token
tokens-revoked = The token is revoked. It no longer works.
tokens-too-many = You have { $most } tokens, which is the most. Revoke one first.
tokens-made-on = made { $day }
tokens-used-on = last used { $day }
tokens-unused = not used yet
tokens-ends-on = ends { $day }

# The pages of users.
tokens-revoke = Revoke
tokens-name-label = Name
