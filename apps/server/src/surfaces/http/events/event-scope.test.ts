import { expect, test } from 'vitest'
import type { Credential } from '../../../identity/index.ts'
import { eventScopeOf } from './event-scope.ts'

const of = (credential: object) => eventScopeOf({ organizationId: 1, ...credential } as Credential)
const ALL = { organizationId: 1, walletProfileId: null }

test('a key with permissions reads events of ramp only with the permission ramp', () => {
  const key = { kind: 'key', walletProfileId: null }
  expect(of({ ...key, permissions: ['read'] })).toEqual({ ...ALL, withoutRamp: true })
  expect(of({ ...key, walletProfileId: 2, permissions: ['read', 'write'] })).toEqual({
    organizationId: 1,
    walletProfileId: 2,
    withoutRamp: true,
  })
  expect(of({ ...key, permissions: ['read', 'ramp'] })).toEqual(ALL)
  expect(of({ ...key, permissions: null })).toEqual(ALL)
  expect(of({ kind: 'user' })).toEqual(ALL)
})

test('a service account reads no events of ramp, whatever its role', () => {
  for (const role of ['viewer', 'admin'])
    expect(of({ kind: 'service_account', role })).toEqual({ ...ALL, withoutRamp: true })
})
