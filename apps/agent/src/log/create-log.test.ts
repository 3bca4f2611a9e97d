import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { prettyLine as serviceLine } from '../../../server/src/kernel/pretty-line.ts'
import { prettyLine } from './pretty-line.ts'

const FILE = fileURLToPath(new URL('create-log.ts', import.meta.url))

/** What a process without a terminal writes to stderr. */
function written(logFormat: string): string {
  const script = `const { createLog } = await import(${JSON.stringify(FILE)})
    createLog({ logLevel: 'info', logFormat: '${logFormat}' }).warn({ blockchain: 'base' }, 'a chain is away')`
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return stderr
}

test('a log is JSON without a terminal, and for people where that is set', () => {
  const line = { level: 40, blockchain: 'base', msg: 'a chain is away' }
  for (const format of ['auto', 'json']) expect(JSON.parse(written(format))).toMatchObject(line)
  expect(written('pretty')).toMatch(/^\d\d:\d\d:\d\d\.\d{3} WARN {2}a chain is away blockchain=base\n$/)
})

test('a line for people has the same form as the service’s', () => {
  const time = 1_767_260_467_123
  const err = { type: 'Error', message: 'no route', stack: 'Error: no route\n    at send (a.ts:1)' }
  const lines = [
    { level: 30, time, msg: 'work is done', operationId: 12, step: 'two words' },
    { level: 50, time, msg: 'failed', err },
    { level: 40, time, msg: '\u001b[2J\n09:04:05.006 INFO  all is well', said: '\u0085', err: 'no answer' },
  ].map((line) => `${JSON.stringify(line)}\n`)
  for (const line of [...lines, 'plain text\n'])
    for (const hasColors of [true, false]) expect(prettyLine(line, hasColors)).toBe(serviceLine(line, hasColors))
})
