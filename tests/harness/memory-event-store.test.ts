import { describeEventStore } from '#backends/events/event-store.contract.ts'
import type { View } from '#backends/events/view.ts'
import { createMemoryEventStore } from './memory-event-store.ts'
import { readExport } from './read-export.ts'

describeEventStore('brute force', {
  async open() {
    const disk = { views: [] as View[] }
    const opened = {
      store: createMemoryEventStore(disk),
      async reopen() {
        await opened.store.close()
        opened.store = createMemoryEventStore(disk)
      },
      [Symbol.asyncDispose]: () => opened.store.close(),
    }
    return opened
  },
  openOracle: createMemoryEventStore,
  formats: ['jsonl'],
  readExport,
})
