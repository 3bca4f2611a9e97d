import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSandbox, type TestSandbox } from '../../testing/chains/test-sandbox.ts'
import { newKey, sign, signatureOf } from '../../testing/chains/test-solana.ts'
import type { SvmChain } from '../chains/index.ts'
import { transferNative } from '../chains/solana/transactions/instructions.ts'
import { advanceTime } from './advance-time.ts'
import { type FaucetRequest, fundFromFaucet } from './fund-from-faucet.ts'
import { listNetworks } from './list-networks.ts'
import type { SandboxChain } from './parts.ts'
import { setChainFault } from './set-chain-fault.ts'
import { resendStored } from './treasury/resend-stored.ts'
import { storePayments } from './treasury/store-payments.ts'

const SOL = 10n ** 9n

let sandbox: TestSandbox
let chain: SandboxChain
let usdc: string

beforeAll(async () => {
  sandbox = await startTestSandbox(['solana'])
  chain = sandbox.parts.sandbox.get('solana')!
  usdc = chain.network.tokens[0]!.address
})
afterAll(() => sandbox?.close())

const ask = (input: Partial<FaucetRequest>) =>
  fundFromFaucet(sandbox.parts, {
    organizationId: 7,
    walletAddress: chain.treasury.address,
    blockchain: 'solana',
    token: 'USDC',
    amount: 5_000_000n,
    ...input,
  })

const holdings = (owner: string) => chain.faultFree.balances([usdc, 'native'].map((token) => ({ owner, token })))

/** A signed transfer of lamports from a wallet, built through the service's view of the chain. */
async function transfer(from: Awaited<ReturnType<typeof newKey>>, lamports: bigint) {
  const served = sandbox.embedded.chains.get('solana') as SvmChain
  const facts = await served.senderState(from.address)
  const call = {
    family: 'svm',
    instructions: [transferNative(from.address, chain.treasury.address, lamports)],
  } as const
  const plan = {
    sender: from.address,
    call,
    nonce: null,
    gas: 50_000n,
    senderState: facts,
    transactionId: Number(lamports),
  }
  const raw = await sign(from, served.encode(plan).bytes)
  return { raw, hash: signatureOf(raw), outcome: (await served.broadcast(raw)).outcome }
}

async function landed(hash: string) {
  const [lookup] = await chain.faultFree.findTransactions([hash])
  const block = lookup?.blockNumber === undefined ? undefined : await chain.faultFree.block(lookup.blockNumber)
  return block?.transactions.find((transaction) => transaction.hash === hash)
}

test('the networks list includes Solana with its tokens and without a chain id', () => {
  expect(listNetworks(sandbox.parts, 'http://127.0.0.1:3000')).toEqual([
    {
      blockchain: 'solana',
      chainId: undefined,
      rpcUrl: 'http://127.0.0.1:3000/sandbox/rpc/solana',
      tokens: [expect.objectContaining({ symbol: 'USDC', address: usdc, decimals: 6 }), expect.anything()],
    },
  ])
})

test('the faucet opens the token account, adds ten SOL the first time, and gives equal payments different signatures', async () => {
  const { address: owner } = await newKey()
  const first = await ask({ walletAddress: owner })
  expect(await holdings(owner)).toEqual([5_000_000n, 10n * SOL])
  const gifts = await Promise.all([ask({ walletAddress: owner }), ask({ walletAddress: owner })])
  expect(new Set([first, ...gifts].map(({ txHash }) => txHash)).size).toBe(3)
  expect(await holdings(owner)).toEqual([15_000_000n, 10n * SOL])
  await ask({ walletAddress: owner, token: 'native', amount: BigInt(SOL) })
  expect(await holdings(owner)).toEqual([15_000_000n, 11n * SOL])
  await expect(ask({ walletAddress: owner, amount: 10n ** 19n - 1n })).rejects.toMatchObject({
    code: 'AMOUNT_OUT_OF_BOUNDS',
  })
})

test('a stored payment that was not sent is sent again with the same bytes, unless its blockhash expired', async () => {
  const { address: to } = await newKey()
  const payments = [{ purpose: 'faucet', token: usdc, to, amount: 3n } as const]
  const store = async () => {
    const prepared = await chain.treasury.prepare(payments)
    return (await storePayments(sandbox.parts, chain, { organizationId: 7, payments, prepared }))[0]!.hash
  }
  const sent = await store()
  await resendStored(sandbox.parts, chain)
  await chain.dev.mine(1)
  expect(await landed(sent)).toMatchObject({ succeeded: true })
  const late = await store()
  await chain.dev.mine(151)
  await resendStored(sandbox.parts, chain)
  const rows = await sandbox.parts.db
    .selectFrom('treasury_sends')
    .select(['tx_hash', 'state'])
    .where('recipient', '=', to)
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { tx_hash: sent, state: 'included' },
    { tx_hash: late, state: 'failed' },
  ])
})

test('advancing its clock mines a block at the end of each day', async () => {
  const before = await chain.dev.head()
  const { now } = await advanceTime(sandbox.parts, 3 * 86_400)
  const after = await chain.dev.head()
  expect(after.time.getTime()).toBeGreaterThanOrEqual(now.getTime())
  expect(after.number - before.number).toBeGreaterThanOrEqual(4)
})

test('faults affect transactions of registered wallets only, and the service’s own requests', async () => {
  const [registered, stranger] = [await newKey(), await newKey()]
  for (const { address } of [registered, stranger]) await ask({ walletAddress: address })
  sandbox.registered.add(registered.address)
  const set = (fault: Parameters<typeof setChainFault>[1]['fault'], count: number) =>
    setChainFault(sandbox.parts, { blockchain: 'solana', fault, count })

  set('revert_next', 1)
  const passes = await transfer(stranger, 1n)
  const fails = await transfer(registered, 2n)
  await chain.dev.mine(1)
  expect(await landed(passes.hash)).toMatchObject({ succeeded: true })
  expect(await landed(fails.hash)).toMatchObject({ succeeded: false })

  set('drop_next', 1)
  const dropped = await transfer(registered, 3n)
  await chain.dev.mine(2)
  expect(dropped.outcome).toBe('accepted')
  expect(await landed(dropped.hash)).toBeUndefined()

  set('delay_next', 1)
  const delayed = await transfer(registered, 4n)
  await chain.dev.mine(5)
  expect(await landed(delayed.hash)).toBeUndefined()
  await chain.dev.mine(20)
  expect(await landed(delayed.hash)).toMatchObject({ succeeded: true })

  const served = sandbox.embedded.chains.get('solana')!
  set('simulation_fails', 1)
  const call = { family: 'svm', instructions: [] } as const
  expect(await served.simulate(registered.address, [call])).toMatchObject({
    ok: false,
    reason: 'sandbox: simulation_fails',
  })
  set('rpc_down', 1)
  await expect(served.heads()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

test('the proxy forwards public methods and nothing else', async () => {
  const ask = (method: string, params: unknown[] = []) =>
    chain.dev.proxy.handle({ jsonrpc: '2.0', id: 1, method, params })
  expect(await ask('getSlot')).toMatchObject({ result: expect.any(Number) })
  for (const method of ['requestAirdrop', 'mine', 'setTime', 'eth_blockNumber', 'pause']) {
    expect(await ask(method)).toMatchObject({ error: { code: -32_601 } })
  }
})
