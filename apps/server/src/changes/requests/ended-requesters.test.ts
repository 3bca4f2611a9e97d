// Also tested over HTTP: system/attacks/service-accounts.test.ts.
import { expect, test } from 'vitest'
import { renameUnder, useChanges } from '../../../testing/changes/use-changes.ts'
import {
  createProfile,
  createServiceAccount,
  deleteKey,
  deleteProfile,
  deleteServiceAccount,
  generateKey,
  removeMember,
  rotateKey,
  rotateServiceAccount,
} from '../../identity/index.ts'
import { addMilliseconds, OPEN_CHANGE_REQUESTS_PER_MEMBER_MAX } from '../../kernel/index.ts'
import { cancelChangeRequest } from './cancel-change-request.ts'
import { type ChangeRequester, stateAt } from './change-request.ts'
import { checkChangeClaim, completeChangeRequest } from './complete-change-request.ts'
import { expireChangeRequests } from './expire-change-requests.ts'
import { type ChangeRequestView, getChangeRequest, listChangeRequests } from './read-change-requests.ts'
import { rejectChangeRequest } from './reject-change-request.ts'

const use = useChanges()

interface Requester {
  readonly requestedBy: ChangeRequester
  readonly end: () => Promise<unknown>
}
const MINUTE_MS = 60_000
const inAMinute = () => addMilliseconds(use.parts.clock.now(), MINUTE_MS)
const aMinute = async () => use.parts.clock.advance(MINUTE_MS)
async function aKey(rights: { readonly expiresAt?: Date; readonly walletProfileId?: number } = {}) {
  const { organizationId, ids } = use
  const { id } = await generateKey(use.parts, { organizationId, name: 'ramp', createdBy: ids.admin, ...rights })
  return { id, requestedBy: { type: 'key', id } as const }
}
async function anAccount() {
  const { organizationId, ids } = use
  const account = { organizationId, name: 'sync', role: 'admin', createdBy: ids.admin } as const
  const { id } = await createServiceAccount(use.parts, account)
  return { id, requestedBy: { type: 'service_account', id, heldBy: ids.admin } as const }
}
const rotate = (keyId: number, overlapSeconds: number) =>
  rotateKey(use.parts, { organizationId: use.organizationId, keyId, overlapSeconds, createdBy: use.ids.grace })

/** Everyone who can request a change, and how each of them ends. */
const ENDS: Readonly<Record<string, () => Promise<Requester>>> = {
  'a key that is deleted': async () => {
    const { id, requestedBy } = await aKey()
    return { requestedBy, end: () => deleteKey(use.parts, use.organizationId, id) }
  },
  'a key that is rotated without an overlap': async () => {
    const { id, requestedBy } = await aKey()
    return { requestedBy, end: () => rotate(id, 0) }
  },
  'a key whose overlap is over': async () => {
    const { id, requestedBy } = await aKey()
    return { requestedBy, end: () => rotate(id, MINUTE_MS / 1_000).then(aMinute) }
  },
  'a key that expires': async () => ({ ...(await aKey({ expiresAt: inAMinute() })), end: aMinute }),
  'a key of a profile that is deleted': async () => {
    const profile = await createProfile(use.parts, use.organizationId, { name: 'gone' })
    const { requestedBy } = await aKey({ walletProfileId: profile.id })
    return { requestedBy, end: () => deleteProfile(use.parts, use.organizationId, profile.id) }
  },
  'a service account that is deleted': async () => {
    const { id: serviceAccountId, requestedBy } = await anAccount()
    const { organizationId } = use
    return { requestedBy, end: () => deleteServiceAccount(use.parts, { organizationId, serviceAccountId }) }
  },
  'a member who is removed': async () => ({
    requestedBy: { type: 'user', id: use.ids.admin },
    end: () => removeMember(use.parts, use.owner, use.ids.admin),
  }),
}

const read = ({ id }: { readonly id: number }) =>
  getChangeRequest(use.parts, { organizationId: use.organizationId, changeRequestId: id })
const shown = async (request: ChangeRequestView) => stateAt(await read(request), use.parts.clock.now())
const listed = async (state: 'requested' | 'approved' | 'cancelled' | 'expired') => {
  const { items } = await listChangeRequests(
    use.parts,
    { organizationId: use.organizationId },
    { state },
    { limit: 10, offset: 0 },
  )
  return items.map(({ id }) => id)
}
const CANCELLED = { code: 'CONFLICT', details: { reason: 'change_request_cancelled' } }

test.each(Object.entries(ENDS))('what %s requested is cancelled from then on', async (_, requester) => {
  const { requestedBy, end } = await requester()
  const rule = { requiredApprovals: 2, coolingOffSeconds: 0 }
  const waiting = await use.request({ requestedBy, rule })
  const approved = await use.request({ requestedBy, rule })
  await use.approveTwice(approved)
  const other = await use.request()
  await end()

  expect(await Promise.all([waiting, approved, other].map(shown))).toEqual(['cancelled', 'cancelled', 'requested'])
  expect([await listed('requested'), await listed('approved'), await listed('expired')]).toEqual([[other.id], [], []])
  expect(await listed('cancelled')).toEqual([approved.id, waiting.id])
  const decision = { organizationId: use.organizationId, changeRequestId: waiting.id, userId: use.ids.linus }
  await expect(use.approve(waiting, use.ids.linus)).rejects.toMatchObject(CANCELLED)
  await expect(rejectChangeRequest(use.parts, decision)).rejects.toMatchObject(CANCELLED)
  const holder = { ...decision, userId: waiting.requesterUserId! }
  await expect(cancelChangeRequest(use.parts, holder)).rejects.toMatchObject(CANCELLED)
  const claim = use.claimOf(approved)
  await expect(checkChangeClaim(use.parts, claim)).rejects.toMatchObject(CANCELLED)
  await expect(renameUnder(use.parts, claim, completeChangeRequest)).rejects.toMatchObject(CANCELLED)

  await expireChangeRequests(use.parts)
  expect((await Promise.all([waiting, approved, other].map(read))).map(({ state }) => state)).toEqual([
    'cancelled',
    'cancelled',
    'requested',
  ])
  expect((await use.actions()).filter((action) => action.endsWith('ChangeRequest'))).toEqual([
    'cancelChangeRequest',
    'cancelChangeRequest',
  ])
})

test('they leave their places to others before any sweep', async () => {
  const { organizationId, ids } = use
  for (let left = OPEN_CHANGE_REQUESTS_PER_MEMBER_MAX; left > 0; left -= 10) {
    const { id, requestedBy } = await aKey()
    for (let each = 0; each < 10; each += 1) await use.request({ requestedBy })
    await deleteKey(use.parts, organizationId, id)
  }
  await expect(use.request({ requestedBy: { type: 'user', id: ids.admin } })).resolves.toMatchObject({
    state: 'requested',
  })
})

test('what a key requested stays while both keys work, and what a service account requested stays after a rotation', async () => {
  const key = await aKey()
  const ofKey = await use.request({ requestedBy: key.requestedBy })
  await rotate(key.id, MINUTE_MS / 1_000)
  const account = await anAccount()
  const ofAccount = await use.request({ requestedBy: account.requestedBy })
  const rotation = { organizationId: use.organizationId, serviceAccountId: account.id, createdBy: use.ids.grace }
  await rotateServiceAccount(use.parts, { ...rotation, overlapSeconds: 0 })
  expect([await shown(ofKey), await shown(ofAccount)]).toEqual(['requested', 'requested'])
})

test('a request that was overdue before its requester ended has expired', async () => {
  const { id, requestedBy } = await aKey()
  const request = await use.request({ requestedBy })
  use.parts.clock.advance(request.expiresAt.getTime() - use.parts.clock.now().getTime())
  await deleteKey(use.parts, use.organizationId, id)
  expect([await shown(request), await listed('expired'), await listed('cancelled')]).toEqual([
    'expired',
    [request.id],
    [],
  ])
  await expireChangeRequests(use.parts)
  expect((await read(request)).state).toBe('expired')
})
