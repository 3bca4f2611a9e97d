import { expect, test } from 'vitest'
import { isStateMissing, readsPastState } from './past-state.ts'

const ADDRESS = '0x000000000000000000000000000000000000dEaD'
const SLOT = `0x${'36'.repeat(32)}`

test.each([
  ['eth_call', [{ to: ADDRESS, data: '0x' }, '0x10'], true],
  ['eth_call', [{ to: ADDRESS, data: '0x' }, '0x1312d00', {}, { time: '0x65' }], true],
  ['eth_getBalance', [ADDRESS, '0x1'], true],
  ['eth_getStorageAt', [ADDRESS, SLOT, 'latest'], false],
  ['eth_call', [{ to: ADDRESS, data: '0x' }, 'latest'], false],
  ['eth_getBlockByNumber', ['0x10', true], false],
  ['eth_getTransactionReceipt', [SLOT], false],
])('%s with %j reads past state: %s', (method, params, expected) => {
  expect(readsPastState({ method, params })).toBe(expected)
})

test.each([
  'missing trie node 5a6e2c (path ) state 0x5a is not available, not found',
  'historical state 5a6e2c is not available',
  'historical state unavailable',
  'required historical state unavailable (reexec=128)',
  'state at block #19000000 is pruned',
  'history has been pruned for this block',
  'BlockOutOfRangeError: block height is 274 but requested was 12',
  'Node 5a6e2c is missing from the DB',
  'old data not available due to pruning',
  'distance to target block exceeds maximum proof window',
  'No state available for block 0x5a6e2c',
  'World state unavailable',
  'historical backend error: missing trie node',
  'no historical RPC is available for this historical (pre-bedrock) execution request',
  'Archive, Debug and Trace requests are not available on your current plan: this requires an archive node',
  'project ID does not have access to archive state',
])('«%s» is about state that the node does not keep', (message) => {
  expect(isStateMissing({ code: -32_000, message, data: undefined })).toBe(true)
})

test.each([
  'execution reverted',
  'execution reverted: state is not available',
  'out of gas',
  'header not found',
  'BlockOutOfRangeError: block height is 274 but requested was 280',
  'a node forgot that block, and another one does not respond',
  'too many requests',
  'method not found',
  'block range is too large',
])('«%s» is about something else', (message) => {
  expect(isStateMissing({ code: -32_000, message, data: undefined })).toBe(false)
})

test('the code of the execution API for pruned history says so in any words', () => {
  expect(isStateMissing({ code: 4444, message: 'not here', data: undefined })).toBe(true)
})
