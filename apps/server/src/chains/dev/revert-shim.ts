import {
  type Address,
  concatHex,
  encodeErrorResult,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  size,
  slice,
} from 'viem'

/** The revert reason of an affected transaction. */
const REVERT_REASON = 'sandbox: revert_next'

const ABI = parseAbi(['error Error(string reason)'])

export function revertWith(reason: string): Hex {
  return encodeErrorResult({ abi: ABI, errorName: 'Error', args: [reason] })
}

/**
 * Code that replaces a contract while one transaction is mined: it reverts transactions of one sender up to a block,
 * and delegates everything else to a copy of the contract's code, in the contract's own storage. Reads at that block
 * return their usual values, and a shim that a crash left behind soon does nothing.
 */
export function revertShim(parts: { sender: Address; copy: Address; untilBlock: number }): Hex {
  const refusal = revertWith(REVERT_REASON)
  const condition = concatHex([
    '0x32', // origin
    ...['0x73' as const, parts.sender], // push20 sender
    '0x14', // eq
    '0x43', // number
    ...['0x67' as const, numberToHex(parts.untilBlock, { size: 8 })], // push8 untilBlock
    '0x11', // gt: untilBlock > number
    '0x16', // and
  ])
  const pass = concatHex([
    '0x365f5f37', // calldatacopy(0, 0, calldatasize)
    '0x5f5f365f', // return size and offset, calldata size and offset
    ...['0x73' as const, parts.copy], // push20 copy
    '0x5af4', // delegatecall(gas, ...)
    '0x3d5f5f3e', // returndatacopy(0, 0, returndatasize)
  ])
  // Each jump is push2, target, jumpi: 4 bytes; the failing tail is 3 bytes, the succeeding one 4.
  const succeedAt = size(condition) + 4 + size(pass) + 4 + 3
  const refuseAt = succeedAt + 4
  const refuse = (dataAt: number): Hex =>
    concatHex([
      '0x5b', // jumpdest
      ...['0x61' as const, numberToHex(size(refusal), { size: 2 })], // push2 length
      ...['0x61' as const, numberToHex(dataAt, { size: 2 })], // push2 dataAt
      '0x5f39', // codecopy(0, dataAt, length)
      ...['0x61' as const, numberToHex(size(refusal), { size: 2 })],
      '0x5ffd', // revert(0, length)
    ])
  const jumpIf = (target: number): Hex => concatHex(['0x61', numberToHex(target, { size: 2 }), '0x57'])
  const dataAt = refuseAt + size(refuse(0))
  return concatHex([
    condition,
    jumpIf(refuseAt),
    pass,
    jumpIf(succeedAt),
    '0x3d5ffd', // revert(0, returndatasize)
    '0x5b3d5ff3', // jumpdest, return(0, returndatasize)
    refuse(dataAt),
    refusal,
  ])
}

/** The address of the copy of a contract's code; nobody has a key to it. */
export function copyAddressOf(target: Address): Address {
  return slice(keccak256(target), 12)
}
