// The reasons of errors: each one that the source writes is explained in docs/errors.md, and no other.

import type { Expression, ObjectExpression } from 'oxc-parser'
import { expect, test } from 'vitest'
import { REASONS } from '../../../scripts/documents/error-reasons.ts'
import { type SourceFile, serverSource } from '../testing/source/source-tree.ts'
import { CHANGE_REQUEST } from './changes/requests/change-states.ts'

const ENDED = ['completed', 'rejected', 'cancelled', 'expired'] as const

/** Reasons that a file computes. `undefined`: the words of a node or contract, which no table can list. */
const COMPUTED: Readonly<Record<string, readonly string[] | undefined>> = {
  'changes/requests/change-request.ts': ENDED.map((state) => `change_request_${state}`),
  'operations/planning/prepare-steps.ts': undefined,
  'operations/transactions/broadcast-stored-bytes.ts': undefined,
  'identity/sso/sign-in/refuse-sign-in.ts': [
    'email_not_verified',
    'domain_not_proved',
    'email_in_use',
    'member_removed',
    'already_linked',
    'owner_not_allowed',
    'no_role',
  ],
  'venues/require-deposit-accepted.ts': ['full', 'frozen', 'paused'],
}

const propertyOf = (object: ObjectExpression, name: string): Expression | undefined =>
  object.properties
    .flatMap((one) => (one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === name ? [one] : []))
    .at(0)?.value as Expression | undefined

/** The reasons in the objects that a file calls `details`; `computed` if one of them is no text. */
function reasonsIn(file: SourceFile): { readonly written: string[]; readonly isComputed: boolean } {
  const written: string[] = []
  let isComputed = false
  const read = (value: Expression | null | undefined) => {
    if (value?.type !== 'ObjectExpression') return
    const given = propertyOf(value, 'reason')
    if (given === undefined) return
    if (given.type === 'Literal' && typeof given.value === 'string') written.push(given.value)
    else isComputed = true
  }
  file.visit({
    Property: (node) => {
      if (node.key.type === 'Identifier' && node.key.name === 'details') read(node.value as Expression)
    },
    VariableDeclarator: (node) => {
      if (node.id.type === 'Identifier' && node.id.name === 'details') read(node.init)
    },
  })
  return { written, isComputed }
}

const sources = serverSource().map((file) => ({ path: file.path, text: file.text, ...reasonsIn(file) }))

test('every reason in the source has a line in scripts/documents/error-reasons.ts, and no line is left of one that is gone', () => {
  const found = [...sources.flatMap(({ written }) => written), ...Object.values(COMPUTED).flatMap((list) => list ?? [])]
  expect(found.length).toBeGreaterThan(50)
  expect([...new Set(found)].sort()).toEqual(Object.keys(REASONS).sort())
})

test('a file that computes a reason says here which ones, and they are in its text', () => {
  const computing = sources.filter(({ isComputed }) => isComputed)
  expect(computing.map(({ path }) => path).sort()).toEqual(Object.keys(COMPUTED).sort())
  for (const { path, text } of computing)
    for (const one of COMPUTED[path] ?? [])
      expect(text, path).toMatch(one.startsWith('change_request_') ? 'change_request_$' : one)
})

test('a change request that is no longer open is in one of the states that have a reason', () => {
  const left = new Set(CHANGE_REQUEST.transitions.map(({ from }) => from))
  const last = [...new Set(CHANGE_REQUEST.transitions.map(({ to }) => to))].filter((state) => !left.has(state))
  expect(last.sort()).toEqual([...ENDED].sort())
})

test('a remedy is a sentence', () => {
  for (const [name, { means, remedy }] of Object.entries(REASONS)) {
    expect(remedy, name).toMatch(/^(?:\[?[A-Z]).*\.$/)
    expect(means, name).not.toMatch(/\.$/)
  }
})
