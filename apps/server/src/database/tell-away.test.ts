import { pino } from 'pino'
import { expect, test } from 'vitest'
import { tellAway } from './tell-away.ts'

const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })

test('an outage of many attempts is two lines: it began, and it is over', () => {
  const lines: string[] = []
  const teller = tellAway(pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line).msg) }), 'jobs')
  teller.answered()
  for (let attempt = 0; attempt < 100; attempt += 1) expect(teller.failed(gone)).toBe(true)
  teller.answered()
  teller.answered()
  expect(lines).toEqual(['the database does not answer', 'the database answers again'])
  expect(teller.failed(new Error('a defect'))).toBe(false)
  expect(lines).toHaveLength(2)
})
