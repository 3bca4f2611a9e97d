import { expect, test } from 'vitest'
import { prettyLine } from './pretty-line.ts'

const line = (fields: object) =>
  `${JSON.stringify({ level: 30, time: new Date(2026, 0, 1, 9, 4, 5, 6).getTime(), ...fields })}\n`

test('a line has time, level, message and fields', () => {
  const text = prettyLine(
    line({ operationId: 12, hash: '0xab', step: 'two words', msg: 'transaction broadcast' }),
    false,
  )
  expect(text).toBe('09:04:05.006 INFO  transaction broadcast operationId=12 hash=0xab step="two words"\n')
})

test('colors are used only where they are wanted, and text that is not JSON is unchanged', () => {
  expect(prettyLine(line({ msg: 'a' }), true)).toContain('\u001b[32mINFO \u001b[0m')
  expect(prettyLine('plain text\n', true)).toBe('plain text\n')
})

test('an error has its stack below', () => {
  const err = { type: 'Error', message: 'no route', stack: 'Error: no route\n    at send (a.ts:1)' }
  expect(prettyLine(line({ level: 50, msg: 'failed', err }), false)).toBe(
    '09:04:05.006 ERROR failed\n      Error: no route\n      at send (a.ts:1)\n',
  )
})

test('a value can neither move the cursor nor look like another line', () => {
  const evil = '\u001b[2J\n09:04:05.006 INFO  all is well'
  for (const fields of [{ msg: evil }, { msg: 'a', said: evil }, { msg: 'a', err: { stack: `x\u001b[2J` } }]) {
    const text = prettyLine(line(fields), false)
    expect(text).not.toContain('\u001b')
    expect(text.split('\n').filter((each) => each.startsWith('09:04'))).toHaveLength(1)
  }
})
