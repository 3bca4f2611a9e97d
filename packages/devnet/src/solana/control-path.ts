/** The path on which the server takes commands from the process that started it, and the header for the secret. */
export const CONTROL_PATH = '/control'
export const CONTROL_HEADER = 'x-weir-control'
