"""The passes of conversion, one file a construct."""
