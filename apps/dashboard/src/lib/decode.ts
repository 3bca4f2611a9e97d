import { decodeFunctionData, type Hex, keccak256, parseAbi, parseTransaction } from 'viem'

/** What unsigned bytes say, read in this browser and not taken from the service. */
export interface Decoded {
  readonly chainId: number | undefined
  readonly to: string
  readonly nonce: number | undefined
  readonly value: bigint
  readonly call: string
  readonly args: readonly (readonly [string, string])[]
  /** What a signer of these bytes signs. */
  readonly signingHash: Hex
}

const ABI = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
  'function withdraw(address asset, uint256 amount, address to)',
  'function deposit(uint256 assets, address receiver)',
  'function withdraw(uint256 assets, address receiver, address owner)',
  'function redeem(uint256 shares, address receiver, address owner)',
])

/** Decodes an unsigned transaction of an EVM chain. Throws if the bytes are not one. */
export function decodeEvm(serialized: string): Decoded {
  const transaction = parseTransaction(serialized as Hex)
  const data = transaction.data ?? '0x'
  let call = data === '0x' ? 'transfer of coins' : `unknown call ${data.slice(0, 10)}`
  let args: [string, string][] = []
  try {
    const { functionName, args: values } = decodeFunctionData({ abi: ABI, data })
    call = functionName
    const shape = ABI.find(({ name, inputs }) => name === functionName && inputs.length === (values?.length ?? 0))
    args = (values ?? []).map((value, at) => [shape?.inputs[at]?.name ?? String(at), String(value)])
  } catch {
    // The call stays unknown, which is what the reader must know.
  }
  return {
    chainId: transaction.chainId,
    to: transaction.to ?? '',
    nonce: transaction.nonce,
    value: transaction.value ?? 0n,
    call,
    args,
    signingHash: keccak256(serialized as Hex),
  }
}
