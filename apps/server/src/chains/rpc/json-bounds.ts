import { RPC_RESPONSE_DEPTH_MAX, RPC_RESPONSE_VALUES_MAX } from '../../kernel/index.ts'

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Reads JSON byte by byte as it arrives, and throws once it has more values, or is nested deeper, than any response of a
 * node: parsing 64 MiB of `[` or `{},` would take gigabytes. It knows nothing else of JSON.
 */
export function jsonBounds(): (chunk: Uint8Array) => void {
  let [isText, isEscaped] = [false, false]
  let [depth, values] = [0, 0]
  return (chunk) => {
    for (const byte of chunk) {
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isText = false
      } else if (byte === QUOTE) isText = true
      else if (byte === COMMA) values += 1
      else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
        values += 1
        depth += 1
        if (depth > RPC_RESPONSE_DEPTH_MAX) throw new RangeError(`nested deeper than ${RPC_RESPONSE_DEPTH_MAX} levels`)
      } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1
    }
    if (values > RPC_RESPONSE_VALUES_MAX) throw new RangeError(`more than ${RPC_RESPONSE_VALUES_MAX} values`)
  }
}
