const LEVELS: Readonly<Record<number, readonly [name: string, color: number]>> = {
  10: ['TRACE', 90],
  20: ['DEBUG', 90],
  30: ['INFO', 32],
  40: ['WARN', 33],
  50: ['ERROR', 31],
  60: ['FATAL', 31],
}

/**
 * The service's form of a line: the agent has a copy, because it shares no code with the service, and a test compares
 * the two. A JSON line of the log for people: local time, level, message, then the fields as `name=value`, and the stack of an
 * error below. Text that is not JSON is unchanged. Control characters of values stay escaped, so that no value can move
 * the cursor or look like another line.
 */
export function prettyLine(line: string, hasColors: boolean): string {
  const fields = fieldsOf(line)
  if (fields === undefined) return line
  const { level, time, msg, err, ...rest } = fields
  const [name, color] = LEVELS[Number(level)] ?? ['LOG', 0]
  const painted = (code: number, text: string) => (hasColors ? `\u001b[${code}m${text}\u001b[0m` : text)
  const values = Object.entries(rest).map(([key, value]) => painted(90, `${key}=${textOf(value)}`))
  const head = [painted(90, clockTime(Number(time))), painted(color, name.padEnd(5)), plain(String(msg ?? ''))]
  return `${[...head, ...values].join(' ')}\n${err === undefined ? '' : stackOf(err)}`
}

function fieldsOf(line: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

/** `09:41:07.123`, in the zone of the process. */
function clockTime(milliseconds: number): string {
  const date = new Date(milliseconds)
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0'))
  return `${parts.join(':')}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** Words as they are; everything else as JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/@+-]+$/.test(value) ? value : plain(JSON.stringify(value))
}

/** Escapes control characters, line breaks included. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function stackOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return `      ${plain(String(error))}\n`
  const { stack, message } = error as { stack?: unknown; message?: unknown }
  const lines = String(stack ?? message ?? JSON.stringify(error)).split('\n')
  return lines.map((each) => `      ${plain(each.trim())}\n`).join('')
}
