declare module "lz4js" {
  export function decompress(data: Uint8Array, maxSize?: number): Uint8Array;
}
