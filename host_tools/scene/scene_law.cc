#include "host_tools/scene/scene_law.h"

#include "host_tools/scene/direction.h"

namespace tactus::host {

ContactLaw ReadLaw(TomlTable* table) {
  ContactLaw law;
  law.friction = table->Number("friction", law.friction);
  law.static_friction = table->Number("static_friction", 0);
  law.viscous_friction_Ns_per_m = table->Number("viscous_friction_Ns_per_m", 0);
  law.stiffness_N_per_m = table->Number("stiffness_N_per_m", 0);
  law.damping_Ns_per_m = table->Number("damping_Ns_per_m", 0);
  return law;
}

void ReadWave(TomlTable* table, ContactLaw* law) {
  law->wave_length_m = table->Number("wave_length_m", 0);
  law->wave_along = ReadDirection(table, "wave_along", law->wave_along);
  law->wave_height_m = table->Number("wave_height_m", 0);
  law->wave_friction = table->Number("wave_friction", 0);
}

}  // namespace tactus::host
