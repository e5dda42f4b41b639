#include "bench/peers/peer.h"

#include "bench/peers/peer_protocol.h"
#include "bench/report/report.h"

namespace tactus::bench {

std::optional<Peer::Answer> Peer::Solve(int solver, const ContactLcp& lcp, int samples) {
  if (!program_) program_ = std::make_unique<Coprocess>(library_.program);
  const PeerRequest request{solver, lcp.M.size, samples};
  PeerAnswer head;
  Answer answer;
  answer.z.resize(lcp.q.size());
  try {
    program_->Write(&request, sizeof request);
    program_->Write(lcp.M.entries.data(), sizeof(double) * lcp.M.entries.size());
    program_->Write(lcp.q.data(), sizeof(double) * lcp.q.size());
    program_->Read(&head, sizeof head);
    program_->Read(answer.z.data(), sizeof(double) * answer.z.size());
  } catch (const BenchError&) {
    program_.reset();
    return std::nullopt;
  }
  answer.claims_solution = head.claims_solution != 0;
  answer.time_us = head.time_ns / 1000;
  return answer;
}

}  // namespace tactus::bench
