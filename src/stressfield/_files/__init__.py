"""Files and texts: one writer that loses nothing, and readers with limits for what strangers wrote.

=============== ==============================================================================================
``disk``        reading with a limit on size; writing whole or not at all, safe against a crash of the machine
``store``       objects below a URL, in a bucket or a folder, each whole or not at all
``toml_text``   TOML with limits on size and depth
``yaml_text``   YAML as plain data, without tags and anchors; and written so that it reads back exactly
``json_text``   JSON with limits on size and depth; and written so that any reader accepts it
``xml_text``    XML with limits on size, depth, count and entities
``plain_text``  texts fit to be stored in a file and shown on a terminal
``failpoints``  faults on demand, for tests of what is left after one
=============== ==============================================================================================
"""
