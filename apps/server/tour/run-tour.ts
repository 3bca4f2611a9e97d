import type { Say } from './layout.ts'
import type { TourService } from './service.ts'

/** Runs a tour on a service and stops the service. An error prints its message and exits with 1. */
export async function runTour(
  start: (say: Say) => Promise<TourService>,
  tour: (service: TourService, say: Say) => Promise<void>,
): Promise<void> {
  const say = (line: string) => console.log(line)
  try {
    const service = await start(say)
    try {
      await tour(service, say)
    } finally {
      await service.stop()
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
