import { getBase58Encoder } from '@solana/kit'
import { feeOf } from '../fee.ts'
import { BLOCKHASH_LIFE } from '../ledger.ts'
import type { Landed } from '../store.ts'
import { sentenceOf, type TransactionError } from '../transaction-error.ts'
import type { Run } from '../vm.ts'
import { isFullySigned, readMessage, readWire, type Wire } from '../wire.ts'
import { encodeAccount } from './encode-account.ts'
import { encodeTransaction } from './encode-transaction.ts'
import { RpcError } from './json.ts'
import { inContext, type Methods, type Node } from './method.ts'
import { asAddress, asOptions, asSignature, type Options, refuse } from './params.ts'

const PREFLIGHT_FAILURE = -32_002
const SIGNATURE_FAILURE = -32_003
const NODE_BUSY = -32_005
const MAX_SIGNATURES = 256
const MAX_HISTORY = 1_000

/** How far back, in slots, a status is known without a search of the history. */
const RECENT_STATUSES = 2 * BLOCKHASH_LIFE

/** Methods that send, simulate and find transactions. */
export const transactionMethods: Methods = {
  sendTransaction(params, node) {
    const { ledger, faults } = node
    const options = params.options(1)
    const wire = signed(decode(params.text(0), options.encoding ?? 'base58'))
    const problem = ledger.problemOf(wire)
    if (options.skipPreflight !== true) {
      const run = problem === null ? simulate(wire, node) : nothingRun(problem)
      if (run.err !== null) throw preflightFailure(run.err, run)
    }
    // As a real node does: it accepts the transaction, which goes nowhere.
    if (problem !== null) return wire.signature
    const fault = faults.takeTransactionFault(wire)
    if (fault === 'drop_next') return wire.signature
    const faulty = { delayBlocks: fault === 'delay_next' ? HELD_BLOCKS : 0, fail: fault === 'revert_next' }
    if (!ledger.submit(wire, faulty)) throw new RpcError(NODE_BUSY, 'Too many transactions wait for a block')
    node.nudge()
    return wire.signature
  },
  simulateTransaction(params, node) {
    const { ledger } = node
    const options = params.options(1)
    const replace = options.replaceRecentBlockhash === true
    if (options.sigVerify === true && replace) refuse('sigVerify may not be used with replaceRecentBlockhash')
    const wire = decode(params.text(0), options.encoding ?? 'base58')
    if (options.sigVerify === true) signed(wire)
    const problem = replace ? null : ledger.problemOf(wire)
    const run = problem === null ? simulate(wire, node) : nothingRun(problem)
    const { hash, height } = ledger.head()
    return inContext(ledger, {
      ...told(run),
      accounts: askedAccounts(run, node, options.accounts),
      fee: feeOf(wire.message),
      innerInstructions: options.innerInstructions === true ? run.inner : null,
      ...(replace ? { replacementBlockhash: { blockhash: hash, lastValidBlockHeight: height + BLOCKHASH_LIFE } } : {}),
    })
  },
  getFeeForMessage(params, { ledger }) {
    const message = whole(() => readMessage(Buffer.from(params.text(0), 'base64')), 'message')
    const known = ledger.lastValidHeight(message.lifetimeToken) !== null
    return inContext(ledger, known ? feeOf(message) : null)
  },
  getSignatureStatuses(params, { ledger }) {
    const signatures = params.list(0).map(asSignature)
    if (signatures.length > MAX_SIGNATURES) refuse(`Too many inputs provided; max ${MAX_SIGNATURES}`)
    const since = params.options(1).searchTransactionHistory === true ? 0 : ledger.head().slot - RECENT_STATUSES
    return inContext(
      ledger,
      signatures.map((signature) => {
        const landed = ledger.store.transaction(signature)
        return landed === null || landed.slot < since ? null : statusOf(landed)
      }),
    )
  },
  getTransaction(params, { ledger }) {
    const landed = ledger.store.transaction(params.signature(0))
    if (landed === null) return null
    const given = params.options(1)
    const options =
      typeof given.commitment === 'string' && isEncoding(given.commitment) ? { encoding: given.commitment } : given
    return { blockTime: landed.time, slot: landed.slot, ...encodeTransaction(landed, options) }
  },
  getSignaturesForAddress(params, { ledger }) {
    const address = params.address(0)
    const { limit = MAX_HISTORY, before, until } = params.options(1)
    if (typeof limit !== 'number' || limit < 1 || limit > MAX_HISTORY) refuse(`Invalid limit; max ${MAX_HISTORY}`)
    const landed = ledger.store.mentioning(
      address,
      Number(limit),
      before === undefined || before === null ? undefined : asSignature(before),
      until === undefined || until === null ? undefined : asSignature(until),
    )
    return landed.map(({ signature, slot, time, err, memo }) => ({
      blockTime: time,
      confirmationStatus: 'finalized',
      err,
      memo,
      signature,
      slot,
    }))
  },
}

/** How many blocks the fault delay_next holds a transaction. */
const HELD_BLOCKS = 20

type Simulated = Run & Partial<ReturnType<Node['ledger']['vm']['simulate']>>

function simulate(wire: Wire, { ledger, faults }: Node): Simulated {
  if (!faults.applies('simulation_fails', wire)) return ledger.vm.simulate(wire)
  const logs = ['Program log: made to fail by the development chain']
  return { ...nothingRun({ InstructionError: [0, { Custom: 1 }] }), logs }
}

function nothingRun(err: TransactionError): Run {
  return { err, logs: [], units: 0n, inner: [], returnData: null }
}

function told({ err, logs, units, returnData }: Run) {
  return { err, logs, returnData, unitsConsumed: units }
}

function preflightFailure(err: TransactionError, run: Run): RpcError {
  const data = { accounts: null, innerInstructions: null, ...told(run) }
  return new RpcError(PREFLIGHT_FAILURE, `Transaction simulation failed: ${sentenceOf(err)}`, data)
}

function askedAccounts(run: Simulated, { ledger }: Node, asked: unknown) {
  if (asked === undefined || asked === null) return null
  const { addresses, encoding = 'base64' } = asOptions(asked)
  if (!Array.isArray(addresses)) return refuse('accounts needs addresses')
  if (run.err !== null) return addresses.map(() => null)
  const options: Options = { encoding }
  return addresses.map((value) => {
    const address = asAddress(value)
    return encodeAccount(ledger.vm, run.after?.get(address) ?? ledger.vm.account(address), options)
  })
}

function statusOf({ slot, err }: Landed) {
  return {
    confirmationStatus: 'finalized',
    confirmations: null,
    err,
    slot,
    status: err === null ? { Ok: null } : { Err: err },
  }
}

function decode(text: string, encoding: unknown): Wire {
  if (encoding !== 'base58' && encoding !== 'base64')
    return refuse(`the encoding ${String(encoding)} is not offered here`)
  return whole(() => {
    const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : getBase58Encoder().encode(text)
    return readWire(Uint8Array.from(bytes))
  }, 'transaction')
}

function whole<Result>(read: () => Result, what: string): Result {
  try {
    return read()
  } catch (error) {
    return refuse(`failed to deserialize the ${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function signed(wire: Wire): Wire {
  if (!isFullySigned(wire)) throw new RpcError(SIGNATURE_FAILURE, 'Transaction signature verification failure')
  return wire
}

/** Old clients send only the encoding, as a string. */
function isEncoding(text: string): boolean {
  return ['json', 'jsonParsed', 'base58', 'base64'].includes(text)
}
