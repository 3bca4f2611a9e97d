import { decodeErrorResult, type Hex, parseAbi, size, slice } from 'viem'
import type { RpcError } from '../rpc/endpoint.ts'

/** Why a contract refused: a code for machines, and a sentence for people when the contract gave one. */
export interface Revert {
  readonly code: string
  readonly reason: string | undefined
}

/** What contracts that Weir's plans touch are known to refuse with; Error and Panic are in every ABI. */
const KNOWN_ERRORS = parseAbi([
  'error Error(string reason)',
  'error Panic(uint256 code)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InvalidApprover(address approver)',
  'error ERC20InvalidSpender(address spender)',
  'error SafeERC20FailedOperation(address token)',
  'error ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)',
  'error ERC4626ExceededMaxMint(address receiver, uint256 shares, uint256 max)',
  'error ERC4626ExceededMaxWithdraw(address owner, uint256 assets, uint256 max)',
  'error ERC4626ExceededMaxRedeem(address owner, uint256 shares, uint256 max)',
  'error EnforcedPause()',
  'error ReentrancyGuardReentrantCall()',
  'error OwnableUnauthorizedAccount(address account)',
  // Aave from 3.5 on; older markets refuse with a number as text.
  'error InvalidAmount()',
  'error ReserveInactive()',
  'error ReserveFrozen()',
  'error ReservePaused()',
  'error SupplyCapExceeded()',
  'error NotEnoughAvailableUserBalance()',
  'error HealthFactorLowerThanLiquidationThreshold()',
  'error UnderlyingBalanceZero()',
])

/** Aave V3's numeric reasons that a supply, withdrawal or share transfer can meet, in its own words. */
const AAVE_ERRORS: Readonly<Record<string, string>> = {
  '11': 'CALLER_NOT_ATOKEN',
  '23': 'CALLER_MUST_BE_POOL',
  '24': 'INVALID_MINT_AMOUNT',
  '25': 'INVALID_BURN_AMOUNT',
  '26': 'INVALID_AMOUNT',
  '27': 'RESERVE_INACTIVE',
  '28': 'RESERVE_FROZEN',
  '29': 'RESERVE_PAUSED',
  '32': 'NOT_ENOUGH_AVAILABLE_USER_BALANCE',
  '35': 'HEALTH_FACTOR_LOWER_THAN_LIQUIDATION_THRESHOLD',
  '43': 'UNDERLYING_BALANCE_ZERO',
  '50': 'BORROW_CAP_EXCEEDED',
  '51': 'SUPPLY_CAP_EXCEEDED',
  '57': 'LTV_VALIDATION_FAILED',
  '59': 'PRICE_ORACLE_SENTINEL_CHECK_FAILED',
}

/** Solidity's panics, in the words of its documentation. */
const PANICS: Readonly<Record<string, string>> = {
  '1': 'an assertion failed',
  '17': 'an arithmetic operation overflowed',
  '18': 'a division by zero',
  '50': 'an array index out of bounds',
}

/** What revert data says. `words` are the node's, used where the data says nothing. Never throws. */
export function decodeRevert(data: Hex | undefined, words?: string): Revert {
  if (data === undefined || size(data) < 4) return { code: 'REVERTED', reason: fromWords(words) }
  try {
    const { errorName, args } = decodeErrorResult({ abi: KNOWN_ERRORS, data })
    if (errorName === 'Error') return fromReason(args[0])
    if (errorName === 'Panic') {
      const code = args[0]
      return { code: `PANIC_0x${code.toString(16)}`, reason: PANICS[code.toString()] ?? 'a panic' }
    }
    return { code: errorName, reason: `${errorName}(${(args ?? []).join(', ')})` }
  } catch {
    const selector = slice(data, 0, 4)
    return { code: selector, reason: `the contract refused with error ${selector}` }
  }
}

function fromReason(text: string): Revert {
  const aave = AAVE_ERRORS[text]
  if (aave) return { code: aave, reason: aave }
  return { code: 'REVERTED', reason: text === '' ? undefined : text }
}

/** "execution reverted: ..." of the node, without its prefix; out-of-gas and the like as they stand. */
function fromWords(words: string | undefined): string | undefined {
  const rest = words?.replace(/^.*execution reverted:?\s*/i, '').trim()
  return rest === '' ? undefined : rest
}

/** Revert data that came with a node's refusal: geth, anvil and erigon in `data`, nethermind behind a word in it. */
export function revertData({ data }: RpcError): Hex | undefined {
  const text = typeof data === 'string' ? data : isObject(data) && typeof data.data === 'string' ? data.data : undefined
  const hex = text?.match(/0x[0-9a-f]*$/i)?.[0]
  return hex === undefined ? undefined : (hex.toLowerCase() as Hex)
}

/** Whether a node's refusal of an eth_call or eth_estimateGas is the contract's own no. */
export function isRevert(problem: RpcError): boolean {
  return problem.code === 3 || /revert|vm execution error|invalid opcode|out of gas/i.test(problem.message)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
