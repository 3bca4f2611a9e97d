import { BODY_DEPTH_MAX } from '../../../kernel/index.ts'

/** A number with fewer digits before its point is below the largest double, 1.8e308. */
const DOUBLE_DIGITS_MAX = 309

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
  const { tooDeep, hugeNumber } = scan(text)
  if (tooDeep) return malformed(`The body is nested deeper than ${BODY_DEPTH_MAX} levels.`)
  // Only an escape can hide a NUL, a lone surrogate or a `__proto__` from a plain text search.
  const escapes = text.includes('\\u')
  try {
    const value: unknown = JSON.parse(text)
    const broken = escapes || hugeNumber || text.includes('__proto__') ? clean(value) : undefined
    return broken === undefined ? { value } : { issue: { ...broken, path: broken.path || 'body' } }
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

/**
 * Drops members named `__proto__`, and returns the first name, string or number that cannot be stored. A reviver of
 * JSON.parse would take ten times as long.
 */
function clean(value: unknown): ValidationIssue | undefined {
  if (typeof value === 'string') return isStorableText(value) ? undefined : unstorable()
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { path: '', message: 'must be a number that fits in 64 bits' }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = clean(value[index])
      if (found !== undefined) return within(`[${index}]`, found)
    }
    return undefined
  }
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
  const record = value as Record<string, unknown>
  for (const key of Object.keys(record)) {
    if (!isStorableText(key)) return unstorable()
    const found = clean(record[key])
    if (found !== undefined) return within(key, found)
  }
  return undefined
}

function unstorable(): ValidationIssue {
  return { path: '', message: 'must be valid Unicode without NUL' }
}

/** The issue seen from one level above. */
function within(step: string, { path, message }: ValidationIssue): ValidationIssue {
  const isName = path !== '' && !path.startsWith('[')
  return { path: isName ? `${step}.${path}` : `${step}${path}`, message }
}

/**
 * One pass over the text before it is parsed: is it nested too deep, and can it contain a number that JavaScript parses
 * as infinite and would write as null? Only an exponent or 309 digits in a row can.
 */
function scan(text: string): { readonly tooDeep: boolean; readonly hugeNumber: boolean } {
  let depth = 0
  let digits = 0
  let hugeNumber = false
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 0x5c) at++
      else if (code === 0x22) inString = false
    } else if (code >= 0x30 && code <= 0x39) {
      if (++digits === DOUBLE_DIGITS_MAX) hugeNumber = true
    } else {
      if (digits > 0 && (code | 0x20) === 0x65) hugeNumber = true
      digits = 0
      if (code === 0x22) inString = true
      else if (code === 0x7b || code === 0x5b) {
        if (++depth > BODY_DEPTH_MAX) return { tooDeep: true, hugeNumber }
      } else if (code === 0x7d || code === 0x5d) depth--
    }
  }
  return { tooDeep: false, hugeNumber }
}
