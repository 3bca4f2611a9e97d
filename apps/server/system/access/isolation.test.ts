import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation, Profile, Strategy, Wallet } from '../clients/api-types.ts'
import { type HttpResponse, withKey } from '../clients/client.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import { type RegisteredOrganization, registerOrganization } from '../clients/register-organization.ts'
import { createFundedWalletClient, type WalletClient } from '../clients/wallet-client.ts'
import { sharedSystem } from '../service/shared-system.ts'
import type { System } from '../service/start-system.ts'

const TOKEN = 1_000_000n

let system: System
let party: RegisteredOrganization
let aave: Strategy

beforeAll(async () => {
  system = await sharedSystem()
  party = await registerOrganization(system)
  aave = await system.strategy('polygon', 'Aave V3 USDC')
})
afterAll(() => system?.stop())

/** A response without the parts that differ between any two. */
const told = ({ status, body }: HttpResponse<unknown>) => ({ status, ...(body as object), requestId: undefined })

describe('requests for another tenant’s objects get the same response as for missing ones', () => {
  let holder: WalletClient
  let plan: Operation
  let venueProfile: Profile

  beforeAll(async () => {
    const owner = await registerOrganization(system)
    venueProfile = await owner.profile({ name: 'held' })
    holder = await createFundedWalletClient(
      await owner.client({ walletProfileId: venueProfile.id }),
      'polygon',
      10n * TOKEN,
    )
    plan = await holder.planSupply(aave, 10n * TOKEN)
    siblings = { owner, other: await owner.profile({ name: 'other' }) }
  })
  let siblings: { owner: RegisteredOrganization; other: Profile }

  const requests: [string, (ids: Record<string, number>) => [string, string, unknown?]][] = [
    ['a wallet', ({ walletId }) => ['GET', `/v1/wallets/${walletId}`]],
    ['changing a wallet', ({ walletId }) => ['PATCH', `/v1/wallets/${walletId}`, { userId: 'mine' }]],
    ['allocations of a wallet', ({ walletId }) => ['POST', '/v1/allocations', { walletId }]],
    ['operations of a wallet', ({ walletId }) => ['GET', `/v1/operations?walletId=${walletId}`]],
    ['an operation', ({ operationId }) => ['GET', `/v1/operations/${operationId}`]],
    ['cancelling', ({ operationId }) => ['POST', `/v1/operations/${operationId}/cancel`]],
    ['a transaction', ({ transactionId }) => ['GET', `/v1/transactions/${transactionId}`]],
    [
      'submitting',
      ({ operationId }) => ['POST', '/v1/transactions/submit-signed', { operationId, signedTransaction: 'signed' }],
    ],
    [
      'a supply',
      ({ walletId }) => [
        'POST',
        '/v1/operations/supply',
        { walletId, strategyId: aave.strategyId, tokenAddress: aave.tokenAddress, amount: '1000000' },
      ],
    ],
    [
      'a withdrawal',
      ({ walletId }) => [
        'POST',
        '/v1/operations/unwind',
        { walletId, strategyId: aave.strategyId, fullWithdrawal: true },
      ],
    ],
  ]

  test.each(requests)('%s, for a stranger and for another profile', async (_what, requestOf) => {
    const [transaction] = plan.transactions
    const theirs = { walletId: holder.walletId, operationId: plan.operationId, transactionId: transaction!.id }
    const unknown = { walletId: 888_888_888, operationId: 888_888_888, transactionId: 888_888_888 }
    const signed = await holder.sign(transaction!)
    const outsiders = [
      await party.client(),
      await party.client({ isAdmin: true }),
      await siblings.owner.client({ walletProfileId: siblings.other.id }),
    ]
    for (const client of outsiders) {
      const send = (ids: Record<string, number>) => {
        const [method, path, body] = requestOf(ids)
        const text = JSON.stringify(body)?.replace('"signed"', `"${signed}"`)
        return client.request(method, path, body === undefined ? {} : { body: JSON.parse(text!) })
      }
      const answer = await send(theirs)
      expect(told(answer)).toEqual(told(await send(unknown)))
      expect([403, 404]).toContain(answer.status)
      expect(answer.text).not.toContain(holder.walletAddress)
    }
    expect(await holder.read(plan.operationId)).toEqual(plan)
  })

  test('another tenant’s address looks unregistered', async () => {
    const { walletAddress } = holder
    const client = await party.client()
    expectRefusal(await client.post('/v1/allocations', { walletAddress }), 404, 'WALLET_NOT_FOUND')
    expectRefusal(await client.post('/v1/operations/supply', holder.supplyOf(aave, TOKEN)), 404, 'WALLET_NOT_FOUND')
    const own = await client.post<Wallet>('/v1/wallets/register', { walletAddress, blockchain: 'polygon' })
    expect(own.status).toBe(201)
    expect(own.body.walletId).not.toBe(holder.walletId)
  })

  test('keys, members and profiles of another organization are NOT_FOUND on core', async () => {
    const key = await siblings.owner.key()
    const other = siblings.owner.session.user.id
    const paths: [string, string][] = [
      [`/api/core/apikeys/${key.id}`, '/api/core/apikeys/888888888'],
      [`/api/core/members/${other}`, '/api/core/members/888888888'],
      [`/api/core/wallet-profiles/${venueProfile.id}`, '/api/core/wallet-profiles/888888888'],
    ]
    for (const [theirs, unknown] of paths) {
      const answer = await party.owner.delete(theirs)
      expectRefusal(answer, 404, 'NOT_FOUND')
      expect(told(answer)).toEqual(told(await party.owner.delete(unknown)))
    }
    expect((await system.as(withKey(key.apiKey)).get('/v1/wallets')).status).toBe(200)
  })
})
