import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sandboxAllowList } from '../lists/sandbox.ts'
import { venueAccountOf } from '../solana/venue-account.ts'
import { type ApprovalContent, approvalChallenge, approvalText } from './approval-content.ts'
import { venueAddressOf } from './venue-address.ts'

const supply: ApprovalContent = {
  environment: 'live',
  organizationId: 7,
  operationId: 345,
  walletId: 6,
  walletAddress: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  blockchain: 'ethereum',
  type: 'SUPPLY',
  token: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  amount: 1_500_000n,
  venue: '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2',
  plannedAt: new Date('2026-03-01T12:00:00.000Z'),
}

const content: fc.Arbitrary<ApprovalContent> = fc.record({
  environment: fc.constantFrom('sandbox', 'live'),
  organizationId: fc.integer({ min: 1, max: 1_000 }),
  operationId: fc.integer({ min: 1, max: 1_000 }),
  walletId: fc.integer({ min: 1, max: 1_000 }),
  walletAddress: fc.stringMatching(/^[1-9A-Za-z]{1,8}$/),
  blockchain: fc.constantFrom('ethereum', 'polygon', 'solana'),
  type: fc.constantFrom('SUPPLY', 'UNWIND'),
  token: fc.stringMatching(/^[1-9A-Za-z]{1,8}$/),
  amount: fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.constant('all' as const)),
  venue: fc.stringMatching(/^[1-9A-Za-z]{1,8}$/),
  plannedAt: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
})

describe('the content of an approval', () => {
  it('has one canonical text, which the documents show', () => {
    expect(approvalText(supply)).toBe(
      [
        'weir approval 1',
        'environment: live',
        'organization: 7',
        'operation: 345',
        'wallet: 6',
        'address: 0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
        'blockchain: ethereum',
        'type: SUPPLY',
        'token: 0xdac17f958d2ee523a2206206994597c13d831ec7',
        'amount: 1500000',
        'venue: 0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2',
        'planned: 2026-03-01T12:00:00.000Z',
        '',
      ].join('\n'),
    )
    expect(approvalChallenge(supply)).toBe('MDE5jw3PevFFH7NOSmW6pDq31X1QZwRJeIObpQUe1ko')
  })

  it('has a challenge of its own whenever a field differs', () => {
    fc.assert(
      fc.property(content, content, (one, other) => {
        const isSame = approvalText(one) === approvalText(other)
        expect(isSame).toBe(JSON.stringify(plain(one)) === JSON.stringify(plain(other)))
        expect(approvalChallenge(one) === approvalChallenge(other)).toBe(isSame)
      }),
    )
  })

  it('changes with each single field', () => {
    fc.assert(
      fc.property(content, content, (one, other) => {
        for (const field of Object.keys(one) as (keyof ApprovalContent)[]) {
          const changed = { ...one, [field]: other[field] } as ApprovalContent
          const differs = String(plain(one)[field]) !== String(plain(other)[field])
          expect(approvalChallenge(changed) !== approvalChallenge(one)).toBe(differs)
        }
      }),
    )
  })

  it('ignores the checksum of a hexadecimal address and nothing else', () => {
    const lower = { ...supply, walletAddress: supply.walletAddress.toLowerCase() }
    expect(approvalChallenge(lower)).toBe(approvalChallenge(supply))
    const solana = { ...supply, walletAddress: 'So11111111111111111111111111111111111111112' }
    const swapped = { ...solana, walletAddress: 'sO11111111111111111111111111111111111111112' }
    expect(approvalChallenge(swapped)).not.toBe(approvalChallenge(solana))
  })

  it.each([
    ['a line feed in an address', { venue: '0xab\nplanned: 2026' }],
    ['a line feed in the chain', { blockchain: 'ethereum\n' }],
    ['no address', { token: '' }],
    ['an amount of zero', { amount: 0n }],
    ['a negative amount', { amount: -1n }],
    ['a fractional id', { operationId: 1.5 }],
    ['an id of zero', { organizationId: 0 }],
    ['an unknown type', { type: 'TRANSFER' }],
    ['an unknown environment', { environment: 'test' }],
    ['an invalid date', { plannedAt: new Date(Number.NaN) }],
  ])('refuses %s', (_, wrong) => {
    expect(() => approvalText({ ...supply, ...wrong } as ApprovalContent)).toThrow(RangeError)
  })

  it('names the venue by the address that the agent has on its own list', () => {
    const list = sandboxAllowList
    for (const { blockchain, venues, family } of list.chains) {
      for (const venue of venues) {
        const meaning = { blockchain, venue: venue.name }
        const expected = 'contract' in venue ? venue.contract : venueAccountOf(venue)
        expect(venueAddressOf(list, meaning), `${family} ${venue.name}`).toBe(expected)
      }
    }
    expect(venueAddressOf(list, { blockchain: 'ethereum', venue: 'nowhere' })).toBeUndefined()
  })
})

/** Comparable values; addresses here have no `0x`, so case matters. */
function plain(one: ApprovalContent): Record<keyof ApprovalContent, string> {
  const entries = Object.entries(one).map(([key, value]) => [
    key,
    value instanceof Date ? value.toISOString() : `${value}`,
  ])
  return Object.fromEntries(entries)
}
