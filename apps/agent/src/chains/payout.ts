import { tokenAccountOf } from '@weir/verify'
import {
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  parseAbi,
  parseTransaction,
  toFunctionSelector,
} from 'viem'
import { inContext, isText } from './forms.ts'
import { NodeUnavailable } from './port.ts'
import type { Rpc } from './rpc.ts'

interface Withdrawal {
  readonly unsigned: string
  readonly signer: string
  readonly token: string
}

/**
 * The amount that the venue's contract returns when the call runs on the latest block. A request of shares returns an id,
 * a claim after a cooldown and Compound's Comet nothing: there, what the shares are worth, what waits for the wallet, and
 * its balance.
 */
export async function evmPayout(rpc: Rpc, { unsigned, signer }: Withdrawal): Promise<bigint> {
  const { to, data } = parseTransaction(unsigned as `0x02${string}`)
  const read = questionOf(data ?? '0x', signer)
  const returned = await rpc.readAll('eth_call', [{ from: signer, to, data: read.data }, 'latest'], isText)
  return highest(
    returned.map((words) => wordAt(words, read)),
    'the withdrawal returned no amount',
  )
}

const QUESTIONS = parseAbi([
  'function requestRedeem(uint256 shares, address controller, address owner)',
  'function unstake(address receiver)',
  'function convertToAssets(uint256 shares)',
  'function cooldowns(address owner)',
  'function withdraw(address asset, uint256 amount)',
  'function balanceOf(address owner)',
])

interface Question {
  readonly data: Hex
  /** Which of the returned words is the amount, of how many. */
  readonly word: number
  readonly words: number
}

function questionOf(data: Hex, signer: string): Question {
  const selector = data.slice(0, 10)
  if (selector === toFunctionSelector(QUESTIONS[0])) {
    const { args } = decodeFunctionData({ abi: QUESTIONS, data })
    const shares = args[0] as bigint
    return {
      data: encodeFunctionData({ abi: QUESTIONS, functionName: 'convertToAssets', args: [shares] }),
      word: 0,
      words: 1,
    }
  }
  if (selector === toFunctionSelector(QUESTIONS[1])) {
    const owner = signer as Hex
    return { data: encodeFunctionData({ abi: QUESTIONS, functionName: 'cooldowns', args: [owner] }), word: 1, words: 2 }
  }
  if (selector === toFunctionSelector(QUESTIONS[4])) {
    const owner = signer as Hex
    return { data: encodeFunctionData({ abi: QUESTIONS, functionName: 'balanceOf', args: [owner] }), word: 0, words: 1 }
  }
  return { data, word: 0, words: 1 }
}

function wordAt(returned: string, { word, words }: Question): bigint | undefined {
  if (!/^0x[0-9a-f]+$/i.test(returned) || returned.length !== 2 + words * 64) return undefined
  return hexToBigInt(`0x${returned.slice(2 + word * 64, 2 + (word + 1) * 64)}`)
}

interface Account {
  readonly data: readonly [string, string]
}
interface Simulation {
  readonly err: unknown
  readonly accounts: readonly (Account | null)[] | null
}

function isAccount(value: unknown): value is Account | null {
  if (value === null) return true
  const { data } = (value ?? {}) as { readonly data?: unknown }
  return Array.isArray(data) && isText(data[0])
}

function isSimulation(value: unknown): value is Simulation {
  const { err, accounts } = (value ?? {}) as { readonly err?: unknown; readonly accounts?: unknown }
  if (err === undefined) return false
  return accounts == null || (Array.isArray(accounts) && accounts.every(isAccount))
}

/** The change of the wallet's token account when the transaction runs on the latest state. */
export async function solanaPayout(rpc: Rpc, { unsigned, signer, token }: Withdrawal): Promise<bigint> {
  const account = await tokenAccountOf(signer, token)
  const balances = async () => {
    const options = { encoding: 'base64', commitment: 'confirmed' }
    const found = await rpc.readAll('getAccountInfo', [account, options], inContext(isAccount))
    return found.map(({ value }) => balanceOf(value))
  }
  // Read before and after: of a balance that changes meanwhile the lower one counts.
  const before = await balances()
  const options = {
    encoding: 'base64',
    sigVerify: false,
    replaceRecentBlockhash: true,
    commitment: 'confirmed',
    accounts: { encoding: 'base64', addresses: [account] },
  }
  const simulated = await rpc.readAll('simulateTransaction', [unsigned, options], inContext(isSimulation))
  const lowest = [...before, ...(await balances())].reduce((least, balance) => (balance < least ? balance : least))
  const after = highest(
    simulated.map(({ value }) =>
      value.err === null && value.accounts?.[0] ? balanceOf(value.accounts[0]) : undefined,
    ),
    'the simulation of the withdrawal fails',
  )
  return after > lowest ? after - lowest : 0n
}

/** A token account holds its amount after the mint and the owner. */
const AMOUNT_AT = 64

function balanceOf(account: Account | null): bigint {
  if (account === null) return 0n
  const bytes = Buffer.from(account.data[0], 'base64')
  if (bytes.length < AMOUNT_AT + 8) throw new NodeUnavailable('the token account has an unknown form')
  return bytes.readBigUInt64LE(AMOUNT_AT)
}

function highest(values: readonly (bigint | undefined)[], otherwise: string): bigint {
  const known = values.filter((value) => value !== undefined)
  if (known.length === 0) throw new NodeUnavailable(otherwise)
  return known.reduce((most, value) => (value > most ? value : most))
}
