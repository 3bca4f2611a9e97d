import { type ReceivedEvent, type Signer, Weir } from '@weir/sdk'
import { type Address, encodeFunctionData, parseAbi, serializeTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type Bank, Savings } from './savings.ts'

const bank = { weir: new Weir({ baseUrl: 'http://127.0.0.1:1' }) } as Bank
const eventOf = (id: string, event: string): ReceivedEvent =>
  ({ id, event, timestamp: '2026-01-01T00:00:00.000Z', data: { operationId: 7 } }) as unknown as ReceivedEvent

test.each([
  ['that landed late', ['operation.failed', 'operation.completed']],
  ['whose failure arrives late', ['operation.completed', 'operation.failed']],
  ['whose failure arrives again', ['operation.failed', 'operation.completed', 'operation.failed']],
])('a transfer %s is booked as completed', (_which, events) => {
  const savings = new Savings(bank)
  for (const [index, event] of events.entries()) savings.book(eventOf(`evt_${index}`, event))
  expect(savings.isBooked(7)).toBe(true)
})

test('a failed transfer is not booked', () => {
  const savings = new Savings(bank)
  savings.book(eventOf('evt_1', 'operation.failed'))
  expect(savings.isBooked(7)).toBe(false)
})

test('a transfer that is repeated moves the ordered amount once, whatever the service asks to sign', async () => {
  const [token, pool] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as [Address, Address]
  const account = privateKeyToAccount(`0x${'5'.repeat(64)}`)
  const abi = parseAbi(['function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)'])
  const data = encodeFunctionData({ abi, functionName: 'supply', args: [token, 100n, account.address, 0] })
  let nonce = 5
  const execute = async (_plan: unknown, _signer: Signer, { review }: { review: (transaction: object) => void }) => {
    const fields = { to: pool, data, chainId: 31338, gas: 100_000n, maxFeePerGas: 10n ** 9n, nonce: nonce++ }
    review({ bytes: serializeTransaction({ type: 'eip1559', ...fields }) })
    throw new Error('the response was lost')
  }
  const weir = {
    v1: { wallets: { register: async () => ({ walletId: 1 }) }, operations: { supply: async () => ({}), execute } },
  } as unknown as Weir
  const rules = { chainId: 31338, token, venues: [pool], maxFee: 10n ** 15n }
  const savings = new Savings({ weir, blockchain: 'polygon', strategyId: 1, rules, accountOf: () => account })
  await expect(savings.deposit('ada', 100n, 'one')).rejects.toThrow('lost')
  await expect(savings.deposit('ada', 100n, 'one')).rejects.toThrow('refused')
  await expect(savings.deposit('ada', 100n, 'two')).rejects.toThrow('lost')
})
