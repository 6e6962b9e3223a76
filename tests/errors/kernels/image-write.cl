kernel void k (write_only image2d_t im) { write_imagef (im, (int2) (0, 0), (float4) (0.0f)); }
