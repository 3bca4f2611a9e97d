import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fingerprintOf } from './fingerprint.ts'

const base = {
  organizationId: 1,
  method: 'POST',
  route: '/api/core/members',
  params: {},
  query: {},
  body: { role: 'admin', email: 'a@b.c' },
}
const hex = (request: object = {}, key = 'ab'.repeat(32)) => fingerprintOf(key, { ...base, ...request }).toString('hex')

test('the order of fields does not matter, and everything else does', () => {
  expect(hex({ body: { email: 'a@b.c', role: 'admin' } })).toBe(hex())
  const others = [
    { organizationId: 2 },
    { method: 'PATCH' },
    { route: '/api/core/members/:id' },
    { params: { id: 1 } },
    { query: { a: '1' } },
    { body: { role: 'owner', email: 'a@b.c' } },
    { body: { role: 'admin', email: 'a@b.c', more: null } },
    { body: {} },
  ]
  expect(new Set([hex(), hex({}, 'cd'.repeat(32)), ...others.map((other) => hex(other))]).size).toBe(others.length + 2)
})

test('a body of more fields than any change has is refused', () => {
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, { at }]))
  expect(hex({ body: { more: [fields(4_999)] } })).toHaveLength(64)
  expect(() => hex({ body: { more: [fields(5_000)] } })).toThrow(/10000 fields/)
})

test('two bodies have one fingerprint if and only if they are the same JSON', () => {
  const json = (body: unknown) => hex({ body: { body } })
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, two) => {
      const [a, b] = [JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(two))]
      expect(json(a)).toBe(json(structuredClone(a)))
      let same = true
      try {
        expect(a).toEqual(b)
      } catch {
        same = false
      }
      if (!same) expect(json(a)).not.toBe(json(b))
    }),
    { numRuns: 200 },
  )
})
