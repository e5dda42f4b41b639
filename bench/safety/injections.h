#pragma once
#include "bench/safety/campaign.h"

// What FaultCase::inject does, one function a case. The numbers are those of docs/safety.md.
namespace tactus::bench::safety {

using Injected = FaultCase::Injected;

// injections.cc: what comes without a message, or with a broken one.
Injected StopClock(Rig* rig, Random* random);    // S4
Injected SilenceHost(Rig* rig, Random* random);  // S7
Injected MissPeriods(Rig* rig, Random* random);  // S10
Injected OpenEStopInput(Rig* rig, Random* random);
Injected CloseLink(Rig* rig, Random* random);
Injected SpoilSamples(Rig* rig, Random* random);
Injected Jump(Rig* rig, Random* random);
Injected SendGarbage(Rig* rig, Random* random);
Injected FailDevice(Rig* rig, Random* random);

// message_injections.cc: what comes by whole messages.
Injected Stop(Rig* rig, Random* random);                    // S1
Injected ConfigureAfterDisarm(Rig* rig, Random* random);    // S2
Injected DisarmFromOtherVersion(Rig* rig, Random* random);  // S3
Injected EStopFromOtherVersion(Rig* rig, Random* random);   // S3
Injected SendAbsurdConfig(Rig* rig, Random* random);        // S5
Injected SendAbsurdTune(Rig* rig, Random* random);
Injected ReplayArm(Rig* rig, Random* random);          // S8
Injected ArmForOtherConfig(Rig* rig, Random* random);  // S8
Injected OrderEStop(Rig* rig, Random* random);
Injected MeddleFromOtherVersion(Rig* rig, Random* random);

/// Runs until zero has been written, and five periods more; no longer than 150 periods, nor than the run.
void RunOut(Rig* rig);

/// Disarms, and runs out. @returns with `from` where that was
Injected Disarm(Rig* rig, bool detected);

/// Whether a Fault of that cause has come since Rig::Mark().
bool Told(const Rig& rig, wire::FaultCode code, wire::ExternalCause external = wire::ExternalCause::kNone);

}  // namespace tactus::bench::safety
