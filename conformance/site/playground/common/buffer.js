/**
 * The port uses the class Buffer of Node. The bundler puts this one in its place.
 */
export { Buffer } from 'buffer/';
