import { expect, test } from 'vitest'
import { bodyOf, EMPTY, mappingsOf } from './sso.ts'

test('lines are values and roles; a value may have an equals sign', () => {
  expect(mappingsOf('treasury-approvers = approver\n\ncn=admins,o=acme = Admin')).toEqual([
    { value: 'treasury-approvers', role: 'approver' },
    { value: 'cn=admins,o=acme', role: 'admin' },
  ])
  expect(mappingsOf('')).toEqual([])
})

test('a line without a value or with an unknown role is rejected', () => {
  for (const text of ['approver', '= approver', 'group = boss', 'a = viewer\nb'])
    expect(mappingsOf(text), text).toBeUndefined()
})

test('an empty field is not sent, or sent as null where that means something', () => {
  expect(bodyOf({ ...EMPTY, name: ' Okta ', clientId: 'id', defaultRole: '' })).toEqual({
    name: 'Okta',
    clientId: 'id',
    domains: [],
    roleClaim: null,
    roleMappings: [],
    defaultRole: null,
  })
})
