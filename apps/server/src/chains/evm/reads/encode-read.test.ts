import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { encodeRead } from './encode-read.ts'

const abi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function at(uint256 index) view returns (uint256)',
  'function at(address owner) view returns (uint256)',
  'function paused() view returns (bool)',
])
const owner = '0x00000000000000000000000000000000000000aa'

test('a prepared function encodes what viem encodes, also with other arguments', () => {
  for (const args of [[owner], ['0x00000000000000000000000000000000000000bb']] as const) {
    expect(encodeRead({ abi, functionName: 'balanceOf', args })).toBe(
      encodeFunctionData({ abi, functionName: 'balanceOf', args: [args[0]] }),
    )
  }
  expect(encodeRead({ abi, functionName: 'paused' })).toBe(encodeFunctionData({ abi, functionName: 'paused' }))
})

test('the arguments choose between two functions with one name, each time', () => {
  const first = encodeRead({ abi, functionName: 'at', args: [1n] })
  expect(encodeRead({ abi, functionName: 'at', args: [owner] })).toBe(
    encodeFunctionData({ abi, functionName: 'at', args: [owner] }),
  )
  expect(encodeRead({ abi, functionName: 'at', args: [1n] })).toBe(first)
})

test('a function that the ABI does not have is refused', () => {
  expect(() => encodeRead({ abi, functionName: 'symbol' })).toThrow('symbol')
})
