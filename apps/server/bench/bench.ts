import { type Comparison, table } from './compare.ts'
import { confirmBench } from './confirm.ts'
import { getOperationBench } from './get-operation.ts'
import { listsBench } from './lists.ts'
import { planSupplyBench } from './plan-supply.ts'
import { pollBench } from './poll.ts'
import { rebalanceBench } from './rebalance.ts'
import { webhooksBench } from './webhooks.ts'
import { openWorkplace, type Workplace } from './workplace.ts'

const BENCHES: Readonly<Record<string, (workplace: Workplace) => Promise<Comparison[]>>> = {
  'get-operation': getOperationBench,
  'plan-supply': planSupplyBench,
  confirm: confirmBench,
  lists: listsBench,
  rebalance: rebalanceBench,
  poll: pollBench,
  webhooks: webhooksBench,
}

/** `npm run bench` measures everything, `npm run bench -- NAME ...` what is named. */
const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  console.error(`there is no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`)
  process.exit(1)
}
const workplace = await openWorkplace()
try {
  const comparisons: Comparison[] = []
  for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
    console.error(`measuring ${name}`)
    comparisons.push(...(await BENCHES[name]!(workplace)))
  }
  console.log(table(comparisons))
  process.exitCode = comparisons.every(({ median, target = 0 }) => median >= target) ? 0 : 2
} finally {
  await workplace.stop()
}
