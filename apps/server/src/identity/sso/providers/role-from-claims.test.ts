import { expect, test } from 'vitest'
import { roleFromClaims } from './role-from-claims.ts'

const provider = {
  roleClaim: 'groups',
  roleMappings: [
    { value: 'weir-view', role: 'viewer' },
    { value: 'weir-admin', role: 'admin' },
    { value: 'weir-owner', role: 'owner' },
  ],
  defaultRole: null,
  allowOwner: false,
} as const

test.each([
  ['one value as a text', { groups: 'weir-admin' }, 'admin'],
  ['the highest of several', { groups: ['weir-view', 'weir-admin'] }, 'admin'],
  ['a part of a value', { groups: ['weir-adm', 'WEIR-ADMIN', ' weir-admin'] }, undefined],
  ['a text with several values in it', { groups: 'weir-view weir-admin' }, undefined],
  ['an owner where claims make none', { groups: ['weir-owner'] }, undefined],
  ['an owner next to another role', { groups: ['weir-owner', 'weir-view'] }, 'viewer'],
  ['an object', { groups: { 'weir-admin': true } }, undefined],
  ['nested lists', { groups: [['weir-admin']] }, undefined],
  ['inherited names', Object.create({ groups: 'weir-admin' }), undefined],
  ['no claim', {}, undefined],
])('%s', (_name, claims, role) => {
  expect(roleFromClaims(provider, claims)).toBe(role)
})

test('an owner is made by a claim only where the provider allows it', () => {
  expect(roleFromClaims({ ...provider, allowOwner: true }, { groups: ['weir-owner'] })).toBe('owner')
})

test('a claim may have dots in its name or lie deeper', () => {
  const named = { ...provider, roleClaim: 'https://acme.example/roles' }
  expect(roleFromClaims(named, { 'https://acme.example/roles': ['weir-admin'] })).toBe('admin')
  const nested = { ...provider, roleClaim: 'realm_access.roles' }
  expect(roleFromClaims(nested, { realm_access: { roles: ['weir-admin'] } })).toBe('admin')
  expect(roleFromClaims({ ...provider, roleClaim: '__proto__.roles' }, {})).toBeUndefined()
})
