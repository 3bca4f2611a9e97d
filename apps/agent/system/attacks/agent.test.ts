import { serializeTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
import { evmBytes } from '../../../../packages/verify/src/test-bytes.ts'
import { type SolanaWorkOptions, solanaSupplyOf, transferOfSol } from '../../testing/hostile-solana-work.ts'
import {
  type Address,
  calls,
  nextId,
  POOL,
  STRANGER,
  supplyOf,
  USDC,
  VAULT,
  type WorkOptions,
  workOf,
} from '../../testing/hostile-work.ts'
import { HELD, refused, SENT, useHostileWorlds } from '../../testing/use-hostile-worlds.ts'

const AMOUNT = 50_000_000n
const STRANGER_KEY = 'GHtXQBsoZHVnNFa9YevAzFr17DJjgHXk3ycTKD5xD3Zi'
const worlds = useHostileWorlds()

describe('bytes of a hostile service', () => {
  const bytes =
    (to: Address | null, data: `0x${string}`, more: object = {}) =>
    () => ({ bytes: evmBytes({ to, data, ...more }) })
  const supply = () => calls.supply(AMOUNT, worlds.me)
  const ATTACKS: readonly [tried: string, code: string, options: () => WorkOptions][] = [
    ['a deposit for another receiver', 'WRONG_BENEFICIARY', () => bytes(POOL, calls.supply(AMOUNT, STRANGER))()],
    ['shares for another receiver', 'WRONG_BENEFICIARY', () => bytes(VAULT, calls.deposit(AMOUNT, STRANGER))()],
    [
      'a withdrawal to another receiver',
      'WRONG_BENEFICIARY',
      () => ({ ...bytes(POOL, calls.withdraw(AMOUNT, STRANGER))(), metadata: { type: 'UNWIND' } }),
    ],
    ['a cent more than it says', 'WRONG_AMOUNT', () => bytes(POOL, calls.supply(AMOUNT + 10_000n, worlds.me))()],
    ['an unlimited allowance', 'WRONG_AMOUNT', () => bytes(USDC, calls.approve(POOL, 2n ** 256n - 1n))()],
    ['an allowance for a stranger', 'UNKNOWN_VENUE', () => bytes(USDC, calls.approve(STRANGER, AMOUNT))()],
    ['a transfer of the token', 'UNKNOWN_METHOD', () => bytes(USDC, calls.transfer(STRANGER, AMOUNT))()],
    ['a venue that is not listed', 'UNKNOWN_VENUE', () => bytes(STRANGER, calls.deposit(AMOUNT, worlds.me))()],
    ['another chain id', 'WRONG_CHAIN', () => bytes(POOL, supply(), { chainId: 137 })()],
    ['native coins', 'NATIVE_VALUE', () => bytes(POOL, supply(), { value: 1n })()],
    ['a contract creation', 'UNKNOWN_METHOD', () => bytes(null, '0x6000')()],
    ['a gas price that drains the wallet', 'FEE_TOO_HIGH', () => bytes(POOL, supply(), { maxFeePerGas: 10n ** 15n })()],
    ['a gas limit that drains the wallet', 'FEE_TOO_HIGH', () => bytes(POOL, supply(), { gas: 10n ** 9n })()],
    [
      'an access list',
      'SOMETHING_ELSE',
      () => bytes(POOL, supply(), { accessList: [{ address: STRANGER, storageKeys: [] }] })(),
    ],
    ['bytes behind the call', 'MALFORMED', () => bytes(POOL, `${supply()}00`)()],
    [
      'a transaction of another type',
      'MALFORMED',
      () => ({ bytes: serializeTransaction({ type: 'legacy', chainId: 31338, to: POOL, data: supply() }) }),
    ],
    ['a step with another name', 'WRONG_STEP', () => ({ metadata: { step: 'APPROVE_TOKEN' } })],
    ['another token in the metadata', 'UNKNOWN_TOKEN', () => ({ metadata: { token: 'USDT' } })],
    ['an amount in another notation', 'WRONG_AMOUNT', () => ({ metadata: { amount: '5e1' } })],
    ['a chain that the agent does not serve', 'UNKNOWN_CHAIN', () => ({ metadata: { blockchain: 'moon' } })],
    ['a foreign wallet', 'UNKNOWN_WALLET', () => ({ metadata: { walletAddress: STRANGER } })],
    ['an unknown kind of operation', 'WRONG_STEP', () => ({ metadata: { type: 'TRANSFER' } })],
  ]

  test('with each of these nothing is signed or sent, and the reason is reported', async () => {
    const { issue, node } = await worlds.world()
    for (const [tried, code, options] of ATTACKS) {
      expect(await issue(supplyOf(worlds.me, 0, options())), tried).toEqual(refused(code))
      expect(node.sent, tried).toEqual([])
    }
    expect(await issue(supplyOf(worlds.me, 0))).toEqual([SENT])
  })

  test('an operation that moves to another venue after its allowance is refused', async () => {
    const { issue, node } = await worlds.world()
    const operationId = nextId()
    const allowance = evmBytes({ to: USDC, data: calls.approve(POOL, AMOUNT) })
    expect(await issue(workOf(worlds.me, { operationId, bytes: allowance }))).toEqual([SENT])
    const elsewhere = evmBytes({ to: VAULT, data: calls.deposit(AMOUNT, worlds.me), nonce: 8 })
    expect(await issue(workOf(worlds.me, { operationId, bytes: elsewhere }))).toEqual(refused('UNKNOWN_VENUE'))
    expect(node.sent).toHaveLength(1)
  })

  test('a known wallet id with another address is refused, also if the agent holds that key', async () => {
    const { issue, node, createWallet } = await worlds.world()
    const other = (await createWallet('polygon')).address as Address
    expect(await issue(supplyOf(worlds.me, 0))).toEqual([SENT])
    expect(await issue(supplyOf(other, 0))).toEqual(refused('WRONG_SIGNER'))
    expect(node.sent).toHaveLength(1)
  })

  test('the same transaction with another nonce is held while the first bytes can land', async () => {
    const { issue, node } = await worlds.world()
    const id = nextId()
    expect(await issue(supplyOf(worlds.me, 0, { id }))).toEqual([SENT])
    expect(await issue(supplyOf(worlds.me, 1, { id }))).toEqual(HELD)
    expect(node.sent).toHaveLength(1)
  })

  test('the id of a signed transaction is refused for another operation or wallet, also after its bytes are dead', async () => {
    const { issue, node, createWallet } = await worlds.world()
    const id = nextId()
    expect(await issue(supplyOf(worlds.me, 0, { id }))).toEqual([SENT])
    Object.assign(node.lies, { eth_getTransactionByHash: null, eth_getTransactionCount: '0xff' })
    expect(await issue(supplyOf(worlds.me, 256, { id, operationId: nextId() }))).toEqual(refused('ID_REUSED'))
    const other = (await createWallet('polygon')).address!
    expect(await issue(supplyOf(other, 0, { id, metadata: { walletId: 2 } }))).toEqual(refused('ID_REUSED'))
    expect(node.sent).toHaveLength(1)
    // Another version of the same transaction is signed.
    expect(await issue(supplyOf(worlds.me, 255, { id }))).toEqual([SENT])
  })
})

describe('bytes of a hostile service on Solana', () => {
  test('with each of these nothing is signed or sent, and the reason is reported', async () => {
    const { issue, node, createWallet } = await worlds.world()
    const wallet = (await createWallet('solana')).address!
    const tip = { program: transferOfSol(wallet).program, accounts: [`ws:${wallet}`, `ws:${STRANGER_KEY}`] }
    const attacks: readonly [tried: string, code: string, options: SolanaWorkOptions][] = [
      ['a transfer of SOL before the deposit', 'SOMETHING_ELSE', { before: [transferOfSol(wallet)] }],
      ['a transfer of SOL after the deposit', 'UNKNOWN_VENUE', { after: [transferOfSol(wallet)] }],
      ['a second signer', 'SOMETHING_ELSE', { before: [{ ...tip, data: transferOfSol(wallet).data }] }],
      ['shares for another receiver', 'WRONG_BENEFICIARY', { receiver: STRANGER_KEY }],
      ['the memo of another transaction', 'WRONG_MEMO', { memo: 'weir:1' }],
      ['a priority fee that drains the wallet', 'FEE_TOO_HIGH', { price: 100_000_000n }],
    ]
    for (const [tried, code, options] of attacks) {
      expect(await issue(await solanaSupplyOf(wallet, options)), tried).toEqual(refused(code))
      expect(node.sent, tried).toEqual([])
    }
    expect(await issue(await solanaSupplyOf(wallet))).toEqual([SENT])
  })
})
