import { startBlockProducer } from './block-producer.ts'
import { createControl } from './control.ts'
import { createFaults } from './faults.ts'
import { openChain } from './open-chain.ts'
import type { Node } from './rpc/method.ts'
import { createRpcServer } from './rpc/server.ts'
import type { ServeOptions } from './serve-options.ts'

/**
 * The chain's process: `node serve.ts <state file> <options as JSON>`. The secret of the control path comes in
 * the environment, where other users of the machine cannot read it. SIGTERM saves the state and exits.
 */
const [, , path = '', text = '{}'] = process.argv
const options = JSON.parse(text) as ServeOptions
const secret = process.env.WEIR_CHAIN_SECRET ?? ''
if (path === '' || secret === '') throw new Error('This program is started by startSolanaChain')

const { ledger, controls, ...opened } = await openChain(path, options.keep, Date.now)
const faults = createFaults()
const producer = startBlockProducer(ledger, options, (error) => {
  console.error('A block could not be made:', error)
  process.exit(1)
})
const node: Node = { ledger, faults, nudge: producer.nudge }
const server = createRpcServer(node, createControl(node, producer, { ...opened, controls }), secret)
server.keepAliveTimeout = 60_000
server.once('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
server.listen(options.port, '127.0.0.1')

function end(): void {
  producer.stop()
  server.close()
  server.closeAllConnections()
  // Transactions accepted before the stop still land, except those that a fault delays.
  if (ledger.waiting().now > 0) ledger.produce()
  ledger.store.close()
  process.exit(0)
}
process.once('SIGTERM', end)
process.once('SIGINT', end)
