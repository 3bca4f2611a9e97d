import { WEBHOOK_TIME_SLICE } from '../../kernel/index.ts'

/** The time that a process serves one webhook for. */
export interface LaneTimeSlice {
  /** Whether to serve another webhook now, after so many deliveries were started. Stays true. */
  isOver(started: number): boolean
  /** Call it when the webhook is released; returns whether others wait for its lane. */
  end(): boolean
}

export interface LaneTimeSlices {
  begin(): LaneTimeSlice
  /** So many webhooks wait for a lane: as many slices end, once they have lasted long enough. */
  awaited(webhooks: number): void
}

/** Ends slices only for webhooks that wait: a receiver that nobody waits for keeps its lane until nothing is due. */
export function createLaneTimeSlices(monotonicMs = () => performance.now()): LaneTimeSlices {
  let wanted = 0
  let ending = 0
  return {
    begin() {
      const began = monotonicMs()
      let isOver = false
      return {
        isOver(started) {
          const mayEnd = started >= WEBHOOK_TIME_SLICE.deliveries || monotonicMs() - began >= WEBHOOK_TIME_SLICE.ms
          if (!isOver && wanted > 0 && mayEnd) {
            wanted -= 1
            ending += 1
            isOver = true
          }
          return isOver
        },
        end() {
          if (isOver) ending -= 1
          return isOver
        },
      }
    },
    awaited(webhooks) {
      wanted = Math.max(0, webhooks - ending)
    },
  }
}
