/** Where the JSON-RPC server takes orders from the process that started it, and the header with their secret. */
export const CONTROL_PATH = '/control'
export const CONTROL_HEADER = 'x-weir-control'
