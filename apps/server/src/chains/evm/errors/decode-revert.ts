import { decodeErrorResult, type Hex, parseAbi, size, slice } from 'viem'
import { readableText } from '../../port/readable-text.ts'
import type { RpcError } from '../../rpc/endpoint.ts'
import { isOutOfGas } from './exhausted-call.ts'

/** Why a contract reverted: a code for machines, and a sentence for people if the contract gave one. */
export interface Revert {
  readonly code: string
  readonly reason: string | undefined
}

/** Known errors of the contracts that Weir's plans touch; Error and Panic are in every ABI. */
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
  'error Paused()',
  'error NotCollateralized()',
  'error TransferOutFailed()',
  'error ReentrancyGuardReentrantCall()',
  'error OwnableUnauthorizedAccount(address account)',
  // Aave from 3.5 on; older markets revert with a number as text.
  'error InvalidAmount()',
  'error ReserveInactive()',
  'error ReserveFrozen()',
  'error ReservePaused()',
  'error SupplyCapExceeded()',
  'error NotEnoughAvailableUserBalance()',
  'error HealthFactorLowerThanLiquidationThreshold()',
  'error UnderlyingBalanceZero()',
  'error FluidLiquidityError(uint256 errorId)',
  'error FluidLendingError(uint256 errorId)',
])

/** Aave V3's numeric errors that a supply, withdrawal or share transfer can meet, by their official names. */
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

/** Errors of Fluid's Liquidity contract that a deposit or withdrawal can meet, by their official names. */
const FLUID_ERRORS: Readonly<Record<string, string>> = {
  '11001': 'UserNotDefined',
  '11002': 'UserPaused',
  '11003': 'WithdrawalLimitReached',
}

/** Solidity's panics, as its documentation describes them. */
const PANICS: Readonly<Record<string, string>> = {
  '1': 'an assertion failed',
  '17': 'an arithmetic operation overflowed',
  '18': 'a division by zero',
  '50': 'an array index was out of bounds',
}

/** Decodes revert data. `words` is the node's message, used where the data is empty. Never throws. */
export function decodeRevert(data: Hex | undefined, words?: string): Revert {
  if (data === undefined || size(data) < 4) return { code: 'REVERTED', reason: fromWords(words) }
  try {
    const { errorName, args } = decodeErrorResult({ abi: KNOWN_ERRORS, data })
    if (errorName === 'Error') return fromReason(args[0])
    if (errorName === 'Panic') {
      const code = args[0]
      return { code: `PANIC_0x${code.toString(16)}`, reason: PANICS[code.toString()] ?? 'a panic' }
    }
    const fluid = errorName === 'FluidLiquidityError' ? FLUID_ERRORS[args[0].toString()] : undefined
    if (fluid) return { code: fluid, reason: fluid }
    return { code: errorName, reason: `${errorName}(${(args ?? []).join(', ')})` }
  } catch {
    const selector = slice(data, 0, 4)
    return { code: selector, reason: `the contract reverted with error ${selector}` }
  }
}

function fromReason(text: string): Revert {
  const aave = Object.hasOwn(AAVE_ERRORS, text) ? AAVE_ERRORS[text] : undefined
  if (aave) return { code: aave, reason: aave }
  const reason = readableText(text)
  return { code: 'REVERTED', reason: reason === '' ? undefined : reason }
}

/** The node's "execution reverted: ..." without its prefix; out-of-gas and the like unchanged. */
function fromWords(words: string | undefined): string | undefined {
  const rest = words && readableText(words).replace(/^.*execution reverted:?\s*/i, '')
  return rest === '' ? undefined : rest
}

/** Revert data from a node's error: geth, anvil and erigon put it in `data`, nethermind behind a word in it. */
export function revertData({ data }: RpcError): Hex | undefined {
  const text = typeof data === 'string' ? data : isObject(data) && typeof data.data === 'string' ? data.data : undefined
  const hex = text?.match(/0x[0-9a-f]*$/i)?.[0]
  return hex === undefined ? undefined : (hex.toLowerCase() as Hex)
}

/** Whether a node's error for an eth_call or eth_estimateGas is the fault of the contract itself. */
export function isRevert(problem: RpcError): boolean {
  return problem.code === 3 || /revert|vm execution error|invalid opcode/i.test(problem.message) || isOutOfGas(problem)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
