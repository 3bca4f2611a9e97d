import {
  type Address,
  type EncodedAccount,
  getAddressDecoder,
  getAddressEncoder,
  getBase58Decoder,
  lamports,
} from '@solana/kit'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { Clock, FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm'
import { type TransactionError, transactionError } from './transaction-error.ts'
import type { Wire } from './wire.ts'

/** The result of running a transaction. */
export type Run = {
  readonly err: TransactionError | null
  readonly logs: readonly string[]
  readonly units: bigint
  readonly inner: readonly InnerInstructions[]
  readonly returnData: { readonly programId: Address; readonly data: readonly [string, 'base64'] } | null
}

/** The calls that the top-level instruction `index` made, as in the JSON-RPC. */
export type InnerInstructions = {
  readonly index: number
  readonly instructions: readonly {
    readonly programIdIndex: number
    readonly accounts: readonly number[]
    readonly data: string
    readonly stackHeight: number
  }[]
}

/** Accounts and programs. Blocks, signatures and history are the ledger's. */
export type Vm = {
  setTime(slot: number, unixTime: number): void
  /** Changes the accounts if it succeeds; a failure while running costs only the fee. */
  execute(wire: Wire): Run
  /** `after`: the accounts that the run touched, in their resulting state. */
  simulate(wire: Wire): Run & { readonly after: ReadonlyMap<Address, EncodedAccount> }
  /** Null when there is none. */
  account(address: Address): EncodedAccount | null
  put(account: EncodedAccount): void
  addProgram(address: Address, program: Uint8Array): void
  /** Installs a program that can be replaced, as the upgradeable loader stores it. */
  addUpgradeable(address: Address, program: Uint8Array, deployed: Deployed): void
  tokenAccounts(): EncodedAccount[]
  rentExemption(bytes: number): bigint
}

export function createVm(): Vm {
  // The ledger checks signatures, lifetimes and duplicates: it knows more than one blockhash.
  const svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n)
  return {
    setTime(slot, unixTime) {
      const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH))
      svm.setClock(new Clock(BigInt(slot), 0n, epoch, epoch + 1n, BigInt(unixTime)))
    },
    execute(wire) {
      const result = svm.sendTransaction(wire.transaction)
      if (result instanceof FailedTransactionMetadata) return runOf(result.meta(), transactionError(result))
      return runOf(result, null)
    },
    simulate(wire) {
      const result = svm.simulateTransaction(wire.transaction)
      if (result instanceof FailedTransactionMetadata) {
        return { ...runOf(result.meta(), transactionError(result)), after: new Map() }
      }
      const after = new Map(result.postAccounts().map((account) => [account.address, account]))
      return { ...runOf(result.meta(), null), after }
    },
    account(address) {
      const account = svm.getAccount(address)
      return account.exists && account.lamports > 0n ? account : null
    },
    put: (account) => svm.setAccount(account),
    addProgram: (address, program) => svm.addProgram(address, program),
    addUpgradeable(address, program, { slot, authority }) {
      svm.addProgramWithLoader(address, program, UPGRADEABLE_LOADER)
      const installed = svm.getAccount(address)
      if (!installed.exists) throw new Error(`${address} was not installed`)
      const stored = svm.getAccount(getAddressDecoder().decode(installed.data, ADDRESS_AT))
      if (!stored.exists) throw new Error(`${address} has no program data`)
      const data = Uint8Array.from(stored.data)
      new DataView(data.buffer).setBigUint64(SLOT_AT, BigInt(slot), true)
      data[AUTHORITY_AT] = 1
      data.set(getAddressEncoder().encode(authority), AUTHORITY_AT + 1)
      svm.setAccount({ ...stored, data, executable: false })
    },
    tokenAccounts: () => svm.getProgramAccounts(TOKEN_PROGRAM_ADDRESS).filter(isTokenAccount),
    rentExemption: (bytes) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
  }
}

/** The last deployment of a program, and who may replace it. */
export type Deployed = { readonly slot: number; readonly authority: Address }

const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address
/** A program account is a tag and the address of its data; these are a tag, a slot, and an optional authority. */
const ADDRESS_AT = 4
const SLOT_AT = 4
const AUTHORITY_AT = 12

export const SLOTS_PER_EPOCH = 432_000
const TOKEN_ACCOUNT_SIZE = 165

/** Whether this is an initialized token account, not a mint. */
export function isTokenAccount(account: EncodedAccount): boolean {
  return (
    account.programAddress === TOKEN_PROGRAM_ADDRESS &&
    account.data.length === TOKEN_ACCOUNT_SIZE &&
    account.data[108] !== 0
  )
}

/** An account that holds nothing but SOL. */
export function nativeAccount(address: Address, amount: bigint): EncodedAccount {
  const programAddress = '11111111111111111111111111111111' as Address
  return { address, lamports: lamports(amount), programAddress, executable: false, data: new Uint8Array(), space: 0n }
}

function runOf(meta: TransactionMetadata, err: TransactionError | null): Run {
  const inner = meta.innerInstructions().flatMap((calls, index) => {
    if (calls.length === 0) return []
    const instructions = calls.map((call) => ({
      programIdIndex: call.instruction().programIdIndex(),
      accounts: [...call.instruction().accounts()],
      data: getBase58Decoder().decode(call.instruction().data()),
      stackHeight: call.stackHeight(),
    }))
    return [{ index, instructions }]
  })
  const returned = meta.returnData()
  const data = Buffer.from(returned.data())
  return {
    err,
    logs: meta.logs(),
    units: meta.computeUnitsConsumed(),
    inner,
    returnData:
      data.length === 0
        ? null
        : { programId: getAddressDecoder().decode(returned.programId()), data: [data.toString('base64'), 'base64'] },
  }
}
