"""Files that are whole or not there: atomic writing, and arrays with labels in the safetensors format."""
