import { type ApprovalContent, approvalChallenge, liveAllowList, venueAddressOf } from '@weir/verify'
import { expect, test } from 'vitest'
import { createPasskey, ORIGIN, RELYING_PARTY } from '../../testing/passkey.ts'
import { checkApproval, parseApprovers } from './index.ts'

const [ada, bob, stranger] = [createPasskey(), createPasskey(), createPasskey()]
const second = createPasskey()
const passkey = ({ credentialId, publicKey }: typeof ada) => ({ credentialId, publicKey })
const file = {
  version: 1,
  organizationId: 7,
  relyingPartyId: RELYING_PARTY,
  origins: [ORIGIN],
  approvers: [
    { name: 'Ada', passkeys: [passkey(ada), passkey(second)] },
    { name: 'Bob', passkeys: [passkey(bob)] },
  ],
  rules: [
    { token: 'USDC', amountAtLeast: '100', required: 1 },
    { amountAtLeast: '1000', required: 2 },
  ],
}
const approvers = parseApprovers(file, liveAllowList)
const plannedAt = new Date('2026-05-05T12:00:00.000Z')
const content: ApprovalContent = {
  environment: 'live',
  organizationId: 7,
  operationId: 345,
  walletId: 6,
  walletAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  blockchain: 'base',
  type: 'SUPPLY',
  token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amount: 2_000_000_000n,
  venue: venueAddressOf(liveAllowList, { blockchain: 'base', venue: 'Fluid USDC' })!,
  plannedAt,
}
const challenge = approvalChallenge(content)
const { plannedAt: _planned, organizationId: _organization, ...known } = content

const judged = (
  signatures: unknown,
  {
    moves = 2_000_000_000n,
    symbol = 'USDC',
    at = plannedAt,
    hours = 1,
    its = known,
  }: { moves?: bigint; symbol?: string; at?: unknown; hours?: number; its?: typeof known } = {},
) =>
  checkApproval(approvers, {
    content: its,
    token: { symbol, decimals: 6 },
    moves,
    sent: { content: { ...content, plannedAt: at }, signatures },
    now: plannedAt.getTime() + hours * 3_600_000,
  })

test('as many people as the strictest matching rule requires must sign', async () => {
  const one = [ada.approve(challenge)]
  expect(await judged([...one, bob.approve(challenge)])).toEqual({ ok: true, challenge, approvedBy: ['Ada', 'Bob'] })
  expect(await judged(one)).toEqual({
    ok: false,
    reason: 'APPROVAL_MISSING: 1 of 2 required people signed this operation',
  })
  expect(await judged(one, { moves: 999_999_999n })).toMatchObject({ ok: true, approvedBy: ['Ada'] })
  expect(await judged([], { moves: 100_000_000n })).toMatchObject({ ok: false })
  expect(await judged([], { moves: 99_999_999n })).toEqual({ ok: true, challenge: undefined, approvedBy: [] })
  expect(await judged([], { moves: 500_000_000n, symbol: 'USDT' })).toMatchObject({ ok: true })
})

test('one person counts once, with however many passkeys and signatures', async () => {
  const often = [ada.approve(challenge), second.approve(challenge), ada.approve(challenge)]
  expect(await judged(often)).toMatchObject({ reason: expect.stringContaining('1 of 2 required people') })
})

test.each([
  ['of another person', () => stranger.approve(challenge), 'is not on the agent'],
  ['without user verification', () => bob.approve(challenge, { flags: 1 }), 'User verification'],
  ['without user presence', () => bob.approve(challenge, { flags: 4 }), 'User not present'],
  ['for another site', () => bob.approve(challenge, { origin: 'https://evil.example' }), 'origin'],
  ['for another relying party', () => bob.approve(challenge, { relyingPartyId: 'evil.example' }), 'RP ID'],
  ['of another kind', () => bob.approve(challenge, { type: 'webauthn.create' }), 'response type'],
  ['over another text', () => bob.approve(approvalChallenge({ ...content, operationId: 346 })), 'challenge'],
  [
    'that was moved to another passkey',
    () => ({ ...stranger.approve(challenge), credentialId: bob.credentialId }),
    'wrong',
  ],
  [
    'with other client data',
    () => ({
      ...bob.approve(approvalChallenge({ ...content, operationId: 346 })),
      clientDataJSON: bob.approve(challenge).clientDataJSON,
    }),
    'wrong',
  ],
  ['without its fields', () => ({ credentialId: bob.credentialId }), 'unknown form'],
  ['that is endless', () => ({ ...bob.approve(challenge), signature: 'A'.repeat(9_000) }), 'unknown form'],
  ['that is text', () => 'approved', 'unknown form'],
])('a signature %s counts for nobody', async (_name, signature, because) => {
  const verdict = await judged([ada.approve(challenge), signature()])
  expect(verdict).toMatchObject({ ok: false, reason: expect.stringContaining('1 of 2 required people') })
  expect(verdict).toMatchObject({ reason: expect.stringContaining(because) })
})

test.each([
  ['operation', { operationId: 346 }],
  ['wallet', { walletId: 5 }],
  ['address', { walletAddress: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' }],
  ['chain', { blockchain: 'polygon' }],
  ['direction', { type: 'UNWIND' as const }],
  ['amount', { amount: 2_000_000_001n }],
  ['whole position', { amount: 'all' as const }],
  ['venue', { venue: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' }],
  ['environment', { environment: 'sandbox' as const }],
])('signatures do not release another %s', async (_name, other) => {
  const signatures = [ada.approve(challenge), bob.approve(challenge)]
  expect(await judged(signatures, { its: { ...known, ...other } })).toMatchObject({
    ok: false,
    reason: expect.stringContaining('0 of 2 required people'),
  })
})

test('an operation that was planned too long ago, in the future or at no time is refused', async () => {
  const signatures = [ada.approve(challenge), bob.approve(challenge)]
  expect(await judged(signatures, { hours: 192 })).toMatchObject({ ok: true })
  const expired = { ok: false, reason: expect.stringContaining('APPROVAL_EXPIRED') }
  expect(await judged(signatures, { hours: 192.01 })).toMatchObject(expired)
  expect(await judged(signatures, { hours: -0.1 })).toMatchObject(expired)
  for (const at of ['never', null, {}]) expect(await judged(signatures, { at })).toMatchObject(expired)
})

test('ids and approvals of any form are refused, not thrown', async () => {
  const broken = { ...known, operationId: -1 }
  expect(await judged([ada.approve(challenge)], { its: broken })).toMatchObject({ ok: false })
  for (const signatures of [undefined, null, 'x', {}, [null], [[]], Array.from({ length: 10_000 }, () => ({}))]) {
    expect(await judged(signatures)).toMatchObject({ ok: false })
  }
})

const problem = (change: object) => {
  try {
    parseApprovers({ ...file, ...change }, liveAllowList)
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}
const [person] = file.approvers

test.each([
  ['a passkey twice', { approvers: [person, { name: 'Eve', passkeys: [passkey(ada)] }] }, 'twice'],
  [
    'a public key under two ids',
    { approvers: [person, { name: 'Eve', passkeys: [{ ...passkey(ada), credentialId: 'AAAA' }] }] },
    'twice',
  ],
  ['a name twice', { approvers: [person, { name: 'Ada', passkeys: [passkey(bob)] }] }, 'approvers has Ada twice'],
  ['a person without a passkey', { approvers: [{ name: 'Ada', passkeys: [] }] }, 'passkeys must not be empty'],
  ['more required than there are', { rules: [{ required: 3 }] }, 'rules[0].required must be at most 2'],
  ['a rule for a token in another case', { rules: [{ token: 'usdc', required: 1 }] }, 'rules[0].token is not listed'],
  ['no rule', { rules: [] }, 'rules must have a rule'],
  ['an unknown condition', { rules: [{ amountAtleast: '5', required: 1 }] }, 'rules[0].amountAtleast is not known'],
  ['a wrong amount', { rules: [{ amountAtLeast: '-5', required: 1 }] }, 'rules[0].amountAtLeast must be a decimal'],
  ['an origin with a path', { origins: ['https://weir.example/'] }, 'origins[0] must be an origin'],
  ['no origin', { origins: [] }, 'origins must not be empty'],
  [
    'text that is not a key',
    { approvers: [{ name: 'A', passkeys: [{ credentialId: 'AAAA', publicKey: 'AAAA' }] }] },
    'COSE',
  ],
  ['padded text', { approvers: [{ name: 'A', passkeys: [{ credentialId: 'AA==', publicKey: 'AAAA' }] }] }, 'base64url'],
  ['no organization', { organizationId: 0 }, 'organizationId must be above 0'],
  ['a relying party with a scheme', { relyingPartyId: 'https://weir.example' }, 'must be a host name'],
])('a file with %s is refused', (_name, change, said) => {
  expect(problem(change)).toContain(said)
})
