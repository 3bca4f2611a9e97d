import type { InProcessService, RawRequest } from '../service/in-process-service.ts'

/** A collection of garbage, the compiler or a machine that slows down can fall into a request, but not into each of ten. */
const TRIES = 10

/** The main thread's CPU time for a request, in milliseconds: the least of a few tries, or the first within `budget`. */
export async function leastCost(service: InProcessService, request: RawRequest, budget: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && least > budget; tries++) least = Math.min(least, await costOf(service, request))
  return least
}

/** Other processes on the machine cannot lengthen it. */
async function costOf(service: InProcessService, request: RawRequest): Promise<number> {
  const before = process.threadCpuUsage()
  await service.send(request)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
