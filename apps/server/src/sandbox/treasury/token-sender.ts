import { addressFromSecret, signTokenTransfer, tokenTransferCall, tokenTransferCost } from '../../chains/index.ts'
import { extendTransact, type Transact, transactOn } from '../../database/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import type { TokenPayment, TokenSender, TokenTransferStatus } from '../../ramp/index.ts'
import type { SandboxChain, SandboxParts } from '../parts.ts'
import { recordTreasuryInclusions } from './record-treasury-inclusions.ts'
import { type PlannedPayment, storePayments } from './store-payments.ts'
import {
  advanceSend,
  hasNeverReceivedGas,
  lockTreasury,
  matchesGenesis,
  nextNonce,
  storeSend,
  type TreasurySend,
} from './treasury-sends.ts'

type TokenSenderParts = Pick<SandboxParts, 'db' | 'clock' | 'log' | 'sandbox'>

/** Gas sent to an address, as a multiple of one transfer's cost, so later transfers need no new payment. */
const GAS_TRANSFERS = 4n

/** Sends tokens on the embedded chains for the ramp, from treasuries and from deposit addresses (rule 5). */
export function createTokenSender(parts: TokenSenderParts): TokenSender {
  const chainOf = (blockchain: string): SandboxChain => {
    const chain = parts.sandbox.get(blockchain)
    if (!chain) throw new Failure('CHAIN_UNAVAILABLE', { message: `${blockchain} is not embedded here.` })
    return chain
  }
  return {
    serves: (blockchain) => parts.sandbox.has(blockchain),
    addressOf: (blockchain, secret) => addressFromSecret(chainOf(blockchain).network, secret),
    pay: (payment, transact) => pay(parts, chainOf(payment.blockchain), payment, transact),
    returnTokens: (payment, transact) => returnTokens(parts, chainOf(payment.blockchain), payment, transact),
    async transferStatus(blockchain, hash) {
      const chain = parts.sandbox.get(blockchain)
      return chain ? findTransferStatus(parts, chain, hash) : 'waiting'
    },
  }
}

async function pay(
  parts: TokenSenderParts,
  chain: SandboxChain,
  { organizationId, ...payment }: Omit<TokenPayment, 'purpose'> & { purpose: PlannedPayment['purpose'] },
  transact: Transact<string> = transactOn(parts.db),
): Promise<string> {
  const planned = await withGas(parts, chain, payment)
  const toHash = extendTransact(transact, async (_tx, sends: TreasurySend[]) => sends.at(-1)!.hash)
  const stored = await storePayments(parts, chain, { organizationId, ...planned }, toHash)
  // A transfer that fails here is sent again by `findTransferStatus`.
  for (const { raw } of stored) await chain.faultFree.broadcast(raw)
  return stored.at(-1)!.hash
}

/**
 * The first tokens delivered to a wallet come with native coins, as they do from the faucet. The coins go first, so the
 * rebalancer can deploy the tokens as soon as it sees them (contract 11). The payment itself is last.
 */
async function withGas(parts: TokenSenderParts, chain: SandboxChain, payment: PlannedPayment) {
  const { treasury } = chain
  if (payment.purpose === 'delivery' && (await hasNeverReceivedGas(parts.db, chain, payment.to))) {
    const gas: PlannedPayment = { purpose: 'gas', token: 'native', to: payment.to, amount: treasury.gasGift }
    const payments = [gas, payment]
    const prepared = await treasury.prepare(payments)
    // A contract that rejects native coins still gets its tokens.
    if (prepared.simulation.ok) return { payments, prepared }
  }
  const prepared = await treasury.prepare([payment])
  requireSuccess(prepared.simulation)
  return { payments: [payment], prepared }
}

async function returnTokens(
  parts: TokenSenderParts,
  chain: SandboxChain,
  { organizationId, blockchain, secret, ...transfer }: TokenPayment & { readonly secret: Uint8Array },
  transact: Transact<string>,
): Promise<boolean> {
  const { network, faultFree } = chain
  const address = await addressFromSecret(network, secret)
  const senderState = await faultFree.senderState(address)
  const cost = tokenTransferCost(senderState)
  if (senderState.native < cost) {
    const earlier = await lastGasTransfer(parts, blockchain, address)
    // Do not pay gas again while a payment is under way.
    if (earlier && (await findTransferStatus(parts, chain, earlier)) === 'waiting') return false
    const gas = { token: 'native', to: address, amount: cost * GAS_TRANSFERS, purpose: 'return_gas' } as const
    await pay(parts, chain, { organizationId, blockchain, ...gas })
    return false
  }
  requireSuccess(await faultFree.simulate(address, [await tokenTransferCall(network, address, transfer)]))
  let raw = ''
  await transact(async (tx) => {
    await lockTreasury(tx, chain)
    const number = await nextNonce(tx, chain, senderState.nonces?.pending ?? 0, address)
    const signed = await signTokenTransfer({ network, secret, address, number, senderState }, transfer)
    const { purpose, ...payment } = transfer
    await storeSend(
      tx,
      chain,
      { ...payment, organizationId, purpose, sender: address, nonce: number, ...signed },
      parts.clock,
    )
    raw = signed.raw
    return signed.hash
  })
  await faultFree.broadcast(raw)
  return true
}

function requireSuccess(simulation: { readonly ok: boolean; readonly reason?: string | undefined }): void {
  if (!simulation.ok) throw new Failure('SIMULATION_FAILED', { cause: simulation.reason })
}

async function lastGasTransfer(
  { db }: TokenSenderParts,
  blockchain: string,
  address: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('treasury_sends')
    .select('tx_hash')
    .where('blockchain', '=', blockchain)
    .where('recipient', '=', address)
    .where('purpose', '=', 'return_gas')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.tx_hash
}

/** Reads the chain again every time, since a block can drop out of it. */
async function findTransferStatus(
  parts: TokenSenderParts,
  chain: SandboxChain,
  hash: string,
): Promise<TokenTransferStatus> {
  if (!(await matchesGenesis(parts.db, chain))) return 'waiting'
  const send = await parts.db.selectFrom('treasury_sends').select('raw').where('tx_hash', '=', hash).executeTakeFirst()
  // The sends of a chain that no longer exists were deleted.
  if (!send) return 'dead'
  const included = await findIncluded(parts, chain, hash)
  if (included) return included
  const sent = await chain.faultFree.broadcast(send.raw)
  if (sent.outcome !== 'stale') return 'waiting'
  // A node also calls bytes stale that landed since the first look.
  const [found] = await chain.faultFree.findTransactions([hash])
  if (found) return (await findIncluded(parts, chain, hash)) ?? 'waiting'
  await advanceSend(parts.db, hash, { event: 'went_stale' })
  return 'dead'
}

/** The status of a transfer that is in a block; `undefined` if it is in none. */
async function findIncluded(
  parts: TokenSenderParts,
  chain: SandboxChain,
  hash: string,
): Promise<TokenTransferStatus | undefined> {
  const [inclusion] = await recordTreasuryInclusions(parts, chain, [hash])
  if (!inclusion) return undefined
  assert(inclusion.hash === hash, 'the inclusion belongs to this send')
  if (!inclusion.succeeded) return 'failed'
  const cursor = await parts.db
    .selectFrom('chain_cursors')
    .select('final_number')
    .where('blockchain', '=', chain.network.blockchain)
    .executeTakeFirst()
  return (cursor?.final_number ?? -1) >= inclusion.blockNumber ? 'final' : 'waiting'
}
