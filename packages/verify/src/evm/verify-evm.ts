import { getAddress, isAddress, maxUint256 } from 'viem'
import type { EvmRules, EvmVenue, TokenRule } from '../allow-list.ts'
import { expectAmount, expectSupply, expectUnwind } from '../expect-intent.ts'
import type { Envelope, Intent, Meaning } from '../intent.ts'
import { Refusal, refuseUnless } from '../refusal.ts'
import { type EvmCall, readCall } from './calls.ts'
import { type EvmTransaction, readEvm } from './read.ts'

/** Returns the meaning of a transaction that is part of the intent and does nothing else. Throws Refusal. */
export function verifyEvm(
  unsigned: string,
  intent: Intent,
  rules: EvmRules,
  asked: { readonly token: TokenRule; readonly amount: bigint },
): { meaning: Meaning; envelope: Envelope } {
  const transaction = readEvm(unsigned)
  refuseUnless(
    transaction.chainId === rules.chainId,
    'WRONG_CHAIN',
    `the transaction is for chain ${transaction.chainId}; ${intent.blockchain} is ${rules.chainId}`,
  )
  refuseUnless(isAddress(intent.signer), 'WRONG_SIGNER', `${intent.signer} is not an address of ${intent.blockchain}`)
  const maxCost = checkFees(transaction, rules)
  const signer = getAddress(intent.signer)
  const to = getAddress(transaction.to)
  const onVenues = rules.venues.filter(({ contract, token }) => contract === to && token === asked.token.symbol)
  const found =
    to === asked.token.address
      ? approval(readCall('token', transaction.data), intent, rules, asked)
      : move(onVenues, { transaction, intent, signer, expected: asked })
  const { blockchain } = intent
  return {
    meaning: { blockchain, signer, token: asked.token.address, shares: null, ...found },
    envelope: { family: 'evm', nonce: transaction.nonce, maxCost },
  }
}

function checkFees({ gas, maxFeePerGas, maxPriorityFeePerGas }: EvmTransaction, { fees }: EvmRules): bigint {
  const capped = (what: string, value: bigint, most: bigint) =>
    refuseUnless(value <= most, 'FEE_TOO_HIGH', `${what} is ${value}, the list allows ${most}`)
  capped('the gas limit', gas, fees.maxGas)
  capped('maxFeePerGas', maxFeePerGas, fees.maxFeePerGas)
  capped('maxPriorityFeePerGas', maxPriorityFeePerGas, fees.maxPriorityFeePerGas)
  capped('the maximum cost of the transaction', gas * maxFeePerGas, fees.maxCost)
  return gas * maxFeePerGas
}

type VerifiedCall = Pick<Meaning, 'venue' | 'protocol' | 'does' | 'amount'> & Partial<Pick<Meaning, 'shares'>>
type ExpectedMove = { readonly token: TokenRule; readonly amount: bigint }

function approval(call: EvmCall, intent: Intent, rules: EvmRules, { token, amount }: ExpectedMove): VerifiedCall {
  if (call.name !== 'approve') throw new Refusal('UNKNOWN_METHOD', `${call.name} is not a method of a token`)
  const { spender } = call
  refuseUnless(intent.type === 'SUPPLY', 'WRONG_STEP', 'an unwind needs no approval')
  const venue = rules.venues.find((one) => one.contract === spender && one.token === token.symbol)
  refuseUnless(
    venue !== undefined,
    'UNKNOWN_VENUE',
    `the approved spender ${spender} is not listed for ${token.symbol}`,
  )
  if (call.amount === 0n) return { ...named(venue), does: 'reset-approval', amount: 0n }
  expectAmount('the approval', call.amount, amount)
  return { ...named(venue), does: 'approve', amount }
}

interface ClaimedMove {
  readonly transaction: EvmTransaction
  readonly intent: Intent
  readonly signer: string
  readonly expected: ExpectedMove
}

function move(
  venues: readonly EvmVenue[],
  { transaction: { to, data }, intent, signer, expected: { token, amount } }: ClaimedMove,
): VerifiedCall {
  const [venue] = venues
  refuseUnless(venue !== undefined, 'UNKNOWN_VENUE', `${getAddress(to)} is not listed for ${token.symbol}`)
  const call = readCall(venue.protocol, data)
  if ('asset' in call) {
    refuseUnless(call.asset === token.address, 'UNKNOWN_TOKEN', `the call moves ${call.asset}, not ${token.symbol}`)
  }
  if ('from' in call) own(call.from, signer, 'the shares')
  if ('to' in call) own(call.to, signer, 'the proceeds')
  switch (call.name) {
    case 'supply':
    case 'market-supply':
    case 'deposit':
      expectSupply(intent)
      expectAmount('the deposit', call.amount, amount)
      return { ...named(venue), does: 'supply', amount }
    case 'pool-withdraw':
    case 'market-withdraw':
    case 'withdraw':
      expectUnwind(intent)
      // Aave and Comet treat the largest integer as the whole position.
      if (call.name !== 'withdraw' && call.amount === maxUint256 && intent.full === true) {
        return { ...named(venue), does: 'withdraw', amount: null }
      }
      expectAmount('the withdrawal', call.amount, amount)
      return { ...named(venue), does: 'withdraw', amount }
    case 'cooldown-assets':
      expectUnwind(intent)
      expectAmount('the withdrawal', call.amount, amount)
      return { ...named(venue), does: 'withdraw', amount }
    case 'request':
      expectUnwind(intent)
      // A part is stated in shares only: `measure` compares what they are worth with the approved amount.
      return { ...named(venue), does: 'withdraw', amount: intent.full === true ? null : amount, shares: call.shares }
    case 'unstake':
      expectUnwind(intent)
      refuseUnless(intent.full === true, 'WRONG_AMOUNT', 'a claim after a cooldown pays everything that waits')
      return { ...named(venue), does: 'withdraw', amount: null }
    case 'cooldown-shares':
    case 'redeem':
      expectUnwind(intent)
      refuseUnless(intent.full === true, 'WRONG_AMOUNT', 'shares are redeemed only when everything is withdrawn')
      return { ...named(venue), does: 'withdraw', amount: null, shares: call.shares }
    case 'approve':
      throw new Refusal('UNKNOWN_METHOD', 'a venue contract takes no approval')
  }
}

const named = ({ name, protocol }: EvmVenue) => ({ venue: name, protocol })

function own(address: string, signer: string, what: string): void {
  refuseUnless(address === signer, 'WRONG_BENEFICIARY', `${what} would belong to ${address}, not to the wallet`)
}
