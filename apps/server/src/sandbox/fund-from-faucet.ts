import { requireAddress } from '../chains/index.ts'
import { extendTransact, type Transact, transactOn } from '../database/index.ts'
import { acceptPositive, Failure, type Parsed, validationError } from '../kernel/index.ts'
import { requireSandboxChain, type SandboxChain, type SandboxParts } from './parts.ts'
import { sendAndWait } from './treasury/send-and-wait.ts'
import { type PlannedPayment, storePayments } from './treasury/store-payments.ts'
import { hasNeverReceivedGas, type TreasurySend } from './treasury/treasury-sends.ts'

export interface FaucetRequest {
  readonly organizationId: number
  /** Any valid address of the chain, registered or not. */
  readonly walletAddress: string
  readonly blockchain: string
  /** A symbol of the chain, or `native`. */
  readonly token: string
  /** Base units. */
  readonly amount: Parsed<bigint>
  /** Default true. */
  readonly withGas?: boolean | undefined
}

/**
 * Sends tokens or native coins to an address on an embedded chain, and returns once they are included and in the ledger
 * (contract 13). Unless `withGas` is false, the first tokens for an address come with ten native coins; a request for
 * native coins is served exactly. `transact` commits the bytes. From then on the transfer is certain, and a repeated
 * request must not pay again.
 *
 * Errors: VALIDATION_ERROR (a chain that is not embedded, a token of other chains only), INVALID_ADDRESS,
 * TOKEN_NOT_FOUND, INVALID_AMOUNT, AMOUNT_OUT_OF_BOUNDS, SIMULATION_FAILED (the address rejects the transfer),
 * CHAIN_UNAVAILABLE.
 */
export async function fundFromFaucet(
  parts: SandboxParts,
  input: FaucetRequest,
  transact: Transact<{ txHash: string }> = transactOn(parts.db),
): Promise<{ txHash: string }> {
  const chain = requireSandboxChain(parts, input.blockchain)
  const requested = checkRequest(parts, chain, input)
  const { treasury } = chain
  const gas: PlannedPayment = { purpose: 'gas', token: 'native', to: requested.to, amount: treasury.gasGift }
  const mayNeedGas = input.withGas !== false && requested.token !== 'native'
  const wanted =
    mayNeedGas && (await hasNeverReceivedGas(parts.db, chain, requested.to)) ? [requested, gas] : [requested]

  const prepared = await treasury.prepare(wanted)
  const { simulation } = prepared
  if (!simulation.ok && simulation.index === 0) {
    const reason = simulation.reason === undefined ? '' : `: ${simulation.reason}`
    throw new Failure('SIMULATION_FAILED', { message: `The address cannot receive the transfer${reason}.` })
  }
  // A contract that rejects native coins still gets its tokens.
  const payments = simulation.ok ? wanted : [requested]
  const { organizationId } = input
  const toHash = extendTransact(transact, async (_tx, [first]: TreasurySend[]) => ({ txHash: first!.hash }))
  const sends = await storePayments(parts, chain, { organizationId, payments, prepared }, toHash)
  const inclusions = await sendAndWait(parts, chain, sends)
  const txHash = sends[0]!.hash
  if (inclusions.some(({ hash, succeeded }) => hash === txHash && !succeeded)) {
    throw new Failure('SIMULATION_FAILED', { message: 'The transfer was included but failed.', details: { txHash } })
  }
  await parts.waitUntilRecorded?.(input.blockchain, Math.max(...inclusions.map(({ blockNumber }) => blockNumber)))
  return { txHash }
}

function checkRequest(parts: SandboxParts, chain: SandboxChain, input: FaucetRequest): PlannedPayment {
  const to = requireAddress(chain.faultFree.network.blockchain, input.walletAddress)
  const token = tokenOf(parts, chain, input.token)
  const amount = acceptPositive(input.amount)
  const most = token === 'native' ? chain.treasury.limits.native : chain.treasury.limits.token
  if (amount > most) {
    const message = `The faucet gives at most ${most} base units in one call.`
    throw new Failure('AMOUNT_OUT_OF_BOUNDS', { message, details: { maxAmount: most.toString() } })
  }
  return { purpose: 'faucet', token, to, amount }
}

/**
 * TOKEN_NOT_FOUND for a symbol that no chain here knows; a validation error for one that only other chains know
 * (contract 4).
 */
function tokenOf({ sandbox }: SandboxParts, { network }: SandboxChain, symbol: string): string {
  if (symbol === 'native') return symbol
  const token = network.tokens.find((candidate) => candidate.symbol === symbol)
  if (token !== undefined) return token.address
  const isKnown = [...sandbox.values()].some((other) => other.network.tokens.some((known) => known.symbol === symbol))
  if (!isKnown) throw new Failure('TOKEN_NOT_FOUND', { message: `The faucet has no ${symbol.slice(0, 32)}.` })
  throw validationError('token', `${symbol} does not exist on ${network.blockchain}`)
}
