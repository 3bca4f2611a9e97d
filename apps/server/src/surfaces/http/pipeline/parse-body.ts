/** No legitimate request nests deeper than this, and recursion over deeper JSON could exhaust the stack. */
const DEPTH_MAX = 64

/** One reason why a request is invalid. */
export interface ValidationIssue {
  readonly path: string
  readonly message: string
}

export type ParsedBody = { readonly value: unknown } | { readonly issue: ValidationIssue }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a request body. An empty body counts as `{}` (contract 4). `__proto__` members are dropped like any unknown
 * field. Values that cannot be stored exactly (NUL, lone surrogates, numbers beyond a double such as 1e400) are rejected
 * here, where the reason is known.
 */
export function parseBody(bytes: Uint8Array): ParsedBody {
  if (bytes.length === 0) return { value: {} }
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return malformed('The body is not valid UTF-8.')
  }
  if (text.trim() === '') return { value: {} }
  if (isTooDeep(text)) return malformed(`The body is nested deeper than ${DEPTH_MAX} levels.`)
  // Only an escape can hide a NUL, a lone surrogate or a `__proto__` from a plain text search.
  const escapes = text.includes('\\u')
  try {
    const value: unknown = escapes || text.includes('__proto__') ? JSON.parse(text, withoutProto) : JSON.parse(text)
    const broken = escapes || HUGE_NUMBER.test(text) ? findUnstorable(value, '') : undefined
    return broken === undefined ? { value } : { issue: broken }
  } catch {
    return malformed('The body is not valid JSON.')
  }
}

/** Whether PostgreSQL can store the text: no NUL, no lone surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function malformed(message: string): ParsedBody {
  return { issue: { path: 'body', message } }
}

function withoutProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}

/** Only a text that matches can contain a number that JavaScript parses as infinite and would write as null. */
const HUGE_NUMBER = /\d[eE]\+?\d|\d{309}/

/** The first name, string or number that cannot be stored. */
function findUnstorable(value: unknown, path: string): ValidationIssue | undefined {
  const broken = { path: path || 'body', message: 'must be valid Unicode without NUL' }
  if (typeof value === 'string') return isStorableText(value) ? undefined : broken
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { path: path || 'body', message: 'must be a number that fits in 64 bits' }
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    if (!isStorableText(key)) return broken
    const inner = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    const found = findUnstorable(member, inner)
    if (found !== undefined) return found
  }
  return undefined
}

/** Counts brackets outside strings, without parsing. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 0x5c) at++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > DEPTH_MAX) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}
