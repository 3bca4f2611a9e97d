import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi } from 'viem'
import { type EvmIncludedTransaction, evmCall } from '../src/chains/index.ts'
import { type Operation, planSupply } from '../src/operations/index.ts'
import { createFollower } from '../src/watch/index.ts'
import { BY_KEY } from '../testing/requesters.ts'
import { openBarePool } from './bare-pool.ts'
import { bareSettlement } from './bare-transactions.ts'
import type { BenchDatabase, BenchEnvironment } from './bench-environment.ts'
import { type Comparison, summary } from './compare.ts'
import { TOKEN, VAULT } from './memory-chain.ts'
import { seedWallets } from './seed.ts'

/** The service's operations in each block. */
const IN_A_BLOCK = 100
const AMOUNT = 1_000_000n

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
])

/**
 * Follows a final block full of the service's transactions, each from a different wallet: finds, settles, reconciles
 * and emits events. The baseline is one bare transaction for each that writes as many rows. Both work sequentially, as
 * a follower does.
 */
export async function confirmBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const database = await workplace.openDatabase()
  const { parts, chain, organizationId } = database
  chain.allowance = AMOUNT
  const rounds = workplace.sized(12, 1)
  const inABlock = workplace.sized(IN_A_BLOCK, 3)
  await seedWallets(database, organizationId, inABlock * 2 * (rounds + 1))
  const pool = openBarePool(database.url, 1)
  const follower = createFollower(parts, chain, { isDevelopment: true, print: () => {} })
  const { signal } = new AbortController()
  await follower.round(signal)

  const wallets = await parts.db.selectFrom('wallets').select('id').orderBy('id').execute()
  const plannedNext = async () => {
    const next = wallets.splice(0, inABlock)
    return await Promise.all(next.map(({ id }) => plan(database, id)))
  }
  const ours = async () => {
    const operations = await plannedNext()
    for (const operation of operations) chain.supplied.set(operation.transactions[0]!.sender, AMOUNT)
    chain.append(operations.map(landed))
    const began = performance.now()
    await follower.round(signal)
    const took = performance.now() - began
    const { count } = await parts.db
      .selectFrom('operations')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('state', '=', 'COMPLETED')
      .where(
        'id',
        'in',
        operations.map(({ operationId }) => operationId),
      )
      .executeTakeFirstOrThrow()
    if (count !== inABlock) throw new Error(`${count} of ${inABlock} operations were confirmed`)
    return took
  }
  const bare = async () => {
    const operations = await plannedNext()
    const began = performance.now()
    for (const operation of operations) await bareSettlement(pool, operation)
    return performance.now() - began
  }
  try {
    const ratios: number[] = []
    const rates: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const isFirst = round % 2 === 0
      const bareFirst = isFirst ? undefined : await bare()
      const took = await ours()
      const bareTook = bareFirst ?? (await bare())
      // The first round warms up.
      if (round === 0) continue
      ratios.push(bareTook / took)
      rates.push((inABlock / took) * 1_000)
    }
    const rate = Math.round(rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)]!)
    const title = `Confirm ${inABlock} operations of a block: ${rate} a second`
    return [summary(title, 'as many bare transactions of as many rows', ratios)]
  } finally {
    await pool.end()
    await database.close()
  }
}

function plan({ parts, organizationId, strategyId }: BenchDatabase, walletId: number): Promise<Operation> {
  const scope = { organizationId, walletProfileId: null }
  return planSupply(parts, { scope, walletId, strategyId, tokenAddress: TOKEN, amount: AMOUNT, requestedBy: BY_KEY })
}

/** The operation's one transaction as included in a block: tokens to the vault, shares to the wallet. */
function landed({ operationId, transactions }: Operation): Omit<EvmIncludedTransaction, 'blockNumber'> {
  const { sender, nonce, call } = transactions[0]!
  const owner = sender as Hex
  const { to, data, value } = evmCall(call)
  const transfer = (address: string, from: Hex, receiver: Hex) => ({
    address,
    topics: encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to: receiver } }) as string[],
    data: encodeAbiParameters([{ type: 'uint256' }], [AMOUNT]),
  })
  const deposit = {
    address: VAULT,
    topics: encodeEventTopics({ abi, eventName: 'Deposit', args: { sender: owner, owner } }) as string[],
    data: encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [AMOUNT, AMOUNT]),
  }
  return {
    family: 'evm',
    hash: `0x${operationId.toString(16).padStart(64, '0')}`,
    sender,
    to,
    nonce: nonce!,
    data,
    value,
    succeeded: true,
    failureCode: undefined,
    gasUsed: 90_000n,
    gasLimit: 100_000n,
    logs: [transfer(TOKEN, owner, VAULT), transfer(VAULT, `0x${'0'.repeat(40)}`, owner), deposit],
  }
}
