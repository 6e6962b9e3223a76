#version 450
// An array in a structure ends where its length says, although the buffer goes on. That counts where the element is accessed.
layout (local_size_x = 1) in;
struct Item { uint first; uint rest[2]; };
layout (std430, binding = 0) buffer X { Item items[2]; uint n; };

void main () {
  items[0].rest[FROM + n] = 1;
}
