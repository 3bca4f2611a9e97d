import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OPERATION_STEPS, TRANSACTION_STEPS } from './record-steps.ts'

// `submission/client-loop.test.ts` tests that each step is published once.

test('docs/logs.md lists every step', () => {
  const text = readFileSync(new URL('../../../../../../docs/logs.md', import.meta.url), 'utf8')
  const listed = [...text.matchAll(/^\| `([a-z ]+)` \|/gm)].map(([, name]) => name)
  const others = ['operation planned', 'transaction leased', 'transaction broadcast', 'buffer restored']
  const all = new Set([...Object.values(OPERATION_STEPS), ...Object.values(TRANSACTION_STEPS), ...others])
  expect(listed.toSorted()).toEqual([...all].toSorted())
})
